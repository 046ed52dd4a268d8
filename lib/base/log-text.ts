/** Fields that the line shows elsewhere, or that say nothing on one machine. */
const shown = new Set(["level", "time", "msg", "app", "pid", "hostname", "err"]);

type Line = {
  level: string;
  /** ISO 8601. */
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
  const { level, time, msg = "", err, ...fields } = JSON.parse(line) as Line;
  const clock = new Date(time).toTimeString().slice(0, 8);
  const rest = Object.entries(fields)
    .filter(([name]) => !shown.has(name))
    .map(
      ([name, value]) =>
        ` ${name}=${typeof value === "string" && /^\S+$/.test(value) ? value : JSON.stringify(value)}`,
    )
    .join("");
  const label = level.toUpperCase().padEnd(5);
  return `${clock} ${label} ${msg}${rest}${describeError(err)}\n`;
}

function describeError(err: Line["err"]): string {
  if (!err) return "";
  const text = err.stack ?? err.message ?? JSON.stringify(err);
  return `\n${text.replace(/^/gm, "    ")}`;
}
