import { storedFlag } from "../stored/stored-flag.ts";

/** Whether answers are held back for a few seconds, in which they can be taken back. */
export const undoPreference = storedFlag("toolthread.undo-answers", true);
