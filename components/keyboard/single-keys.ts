import { storedFlag } from "../stored/stored-flag.ts";

/**
 * Whether keys without a modifier do something. Who speaks to their computer, or whose hands slip,
 * switches them off (WCAG 2.1.4).
 */
export const singleKeys = storedFlag("toolthread.single-keys", true);
