import { handleApiRequest as handle } from "@/server/shared-runtime.ts";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";
export { handle as GET };
