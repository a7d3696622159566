import { z } from "zod";

/** The parameter that says how long simulated work takes. */
export const pace = z.number().min(0).max(60).default(1).meta({
  title: "Pace",
  description: "Seconds that each piece of the simulated work takes.",
});
