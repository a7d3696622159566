import { type ClassValue, clsx } from "clsx";

/**
 * Joins class names. Of two that set the same property the style sheet's order decides, not the
 * order here, so components offer variants instead of being overridden: a library that resolves
 * such conflicts is a twentieth of what the inbox may weigh.
 */
export function cn(...classes: ClassValue[]): string {
  return clsx(classes);
}
