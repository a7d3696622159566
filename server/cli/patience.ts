/** Seconds for which a command that has begun something waits for a server that is away. */
export const patienceSeconds = 600;
