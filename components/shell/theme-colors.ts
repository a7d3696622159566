/** The canvas of each theme, for what browsers draw around a page; `globals.css` has the same. */
export const themeColors = { light: "#f9f8f6", dark: "#12110f" } as const;

/** Has the browser's own bars follow the theme that was chosen; any other one means the system's. */
export function showThemeColor(theme: string | undefined): void {
  for (const meta of document.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]")) {
    const system = meta.media.includes("dark") ? "dark" : "light";
    meta.content = themeColors[theme === "light" || theme === "dark" ? theme : system];
  }
}
