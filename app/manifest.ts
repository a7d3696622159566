import type { MetadataRoute } from "next";

/** What a phone or a desktop needs to keep the dashboard as an app. */
export default function manifest(): MetadataRoute.Manifest {
  return {
    id: "/",
    name: "toolthread",
    short_name: "toolthread",
    description: "Long-running tasks of AI agents: watch them, and answer what they ask.",
    start_url: "/",
    scope: "/",
    display: "standalone",
    background_color: "#f9f8f6",
    theme_color: "#f9f8f6",
    icons: [
      { src: "/icon.svg", sizes: "any", type: "image/svg+xml" },
      { src: "/icons/icon-192.png", sizes: "192x192", type: "image/png" },
      { src: "/icons/icon-512.png", sizes: "512x512", type: "image/png" },
      {
        src: "/icons/icon-maskable-512.png",
        sizes: "512x512",
        type: "image/png",
        purpose: "maskable",
      },
    ],
    shortcuts: [
      { name: "Tasks", url: "/tasks" },
      { name: "Start a task", url: "/start" },
    ],
  };
}
