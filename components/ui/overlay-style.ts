/** What dims the page behind a dialog. */
export const overlayStyle =
  "fixed inset-0 z-40 animate-in bg-black/35 fade-in-0 duration-150 dark:bg-black/60";
