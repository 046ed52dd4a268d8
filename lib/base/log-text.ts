type Line = {
  level: string;
  time: string;
  msg?: string;
  err?: { stack?: string; message?: string } | null;
} & Record<string, unknown>;

/**
 * A line of the log for people: `14:03:05 WARN  fetch failed stream=3 host=m.example`.
 *
 * @param line a JSON line of the log
 */
export function describeLogLine(line: string): string {
  const { level, time, msg = "", err, app: _, ...fields } = JSON.parse(line) as Line;
  const isPlain = (value: unknown) => typeof value === "string" && /^\S+$/.test(value);
  const rest = Object.entries(fields).map(
    ([name, value]) => ` ${name}=${isPlain(value) ? String(value) : JSON.stringify(value)}`,
  );
  const error = err ? `\n${err.stack ?? err.message}`.replace(/^(?=.)/gm, "    ") : "";
  return `${new Date(time).toTimeString().slice(0, 8)} ${level.toUpperCase().padEnd(5)} ${msg}${rest.join("")}${error}\n`;
}
