/** Shows how many wait on the tab's icon, and on the installed app's where there is one. */
export function showBadge(count: number): void {
  const app = count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.();
  app?.catch(() => {});
  const known = document.head.querySelector<HTMLLinkElement>("link[data-badge]");
  if (count === 0) {
    known?.remove();
    return;
  }
  const link = known ?? document.createElement("link");
  link.rel = "icon";
  link.type = "image/svg+xml";
  link.dataset.badge = String(count);
  link.href = `data:image/svg+xml,${encodeURIComponent(badgedIcon(count))}`;
  // Of several icons browsers take the last.
  if (!known) document.head.append(link);
}

// The icon with its amber bead grown into the number. One colour pair for light and dark tab strips,
// since the icon brings its own ground.
function badgedIcon(count: number): string {
  const text = count > 99 ? "99+" : String(count);
  const size = [0, 13, 11, 8.5][text.length];
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">' +
    '<rect width="24" height="24" rx="5.5" fill="#1c1a17"/>' +
    '<path d="M5.5 3v6c0 3 2 5 4.5 5M5.5 21v-4" fill="none" stroke="#f5f2ec" stroke-width="2" stroke-linecap="round"/>' +
    '<circle cx="15" cy="14.5" r="8.5" fill="#eba43a"/>' +
    '<text x="15" y="14.9" text-anchor="middle" dominant-baseline="central" fill="#1c1a17" ' +
    `font-family="system-ui,sans-serif" font-weight="700" font-size="${size}">${text}</text></svg>`
  );
}
