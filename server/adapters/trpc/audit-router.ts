import { auditFilters, listAuditInput } from "./audit-inputs.ts";
import { procedure, router } from "./trpc.ts";

export const auditRouter = router({
  list: procedure("audit:read")
    .input(listAuditInput)
    .query(({ ctx, input }) => {
      const { limit, after, ...filters } = input;
      return ctx.tasks.listAudit({ ...auditFilters(filters), limit, after });
    }),
});
