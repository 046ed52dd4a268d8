export interface Limits {
  /** When to stop; what is left over is due again. */
  deadline: Date;
  /** The process is about to end. */
  signal?: AbortSignal | undefined;
}

/** A kind of background work. What is due is a question to the database, so any number of processes may ask. */
export interface Job {
  name: string;
  /** Milliseconds one process waits at least between two questions. */
  every: number;
  /** Whether there may be something to do; cheap. */
  isDue: () => Promise<boolean>;
  /** Claims work and does it, within the limits. Answers whether there was any that could be done. */
  run: (limits: Limits) => Promise<{ worked: boolean }>;
}

/** For jobs whose `run` finds out by itself, as cheaply, that nothing is due. */
export function always(): Promise<boolean> {
  return Promise.resolve(true);
}
