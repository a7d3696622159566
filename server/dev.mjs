// `npm run dev`: the server from its sources, started again when one of them changes; Next updates
// the pages by itself.
process.env.NEXT_TELEMETRY_DISABLED = "1";
process.argv.push("watch", "--clear-screen=false", "server/main.ts", "--dev");

await import("tsx/cli");
