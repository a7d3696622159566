import type { NextConfig } from "next";

const config: NextConfig = {
  // `npm run typecheck` does this, with a compiler that Next cannot call.
  typescript: { ignoreBuildErrors: true },
  poweredByHeader: false,
  serverExternalPackages: [
    "@prisma/adapter-better-sqlite3",
    "@prisma/client",
    "@prisma/schema-engine-wasm",
    "better-sqlite3",
  ],
};

export default config;
