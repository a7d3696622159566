import type { NextConfig } from "next";

const config: NextConfig = {
  // `npm run typecheck` does this, with a compiler that Next cannot call.
  typescript: { ignoreBuildErrors: true },
  poweredByHeader: false,
};

export default config;
