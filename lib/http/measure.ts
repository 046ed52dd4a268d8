import { collectDefaultMetrics, Histogram, register } from "prom-client";

/** Every Prometheus figure of this process begins with this. */
const NAME = "sluice_http_request_duration_seconds";

let running = false;

// A process may load this module more than once (the bundler's doing); prom-client has one registry.
function histogram(): Histogram<"method" | "route" | "status"> {
  const known = register.getSingleMetric(NAME) as Histogram<"method" | "route" | "status"> | undefined;
  return (
    known ??
    new Histogram({
      name: NAME,
      help: "Answers by method, declared path and status.",
      labelNames: ["method", "route", "status"],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    })
  );
}

let durations: ReturnType<typeof histogram> | undefined;

/** Counts an answer. `route` is the declared path, never the one that was asked for: ids would be labels without end. */
export function measure(method: string, route: string, status: number, seconds: number): void {
  durations ??= histogram();
  durations.observe({ method, route, status }, seconds);
}

/** All figures of this process in Prometheus' text form, those of Node among them. */
export async function measurements(): Promise<string> {
  if (!running) {
    running = true;
    if (register.getSingleMetric("process_cpu_user_seconds_total") === undefined) collectDefaultMetrics();
  }
  return register.metrics();
}

/** The media type of that form. */
export const measurementsType = register.contentType;
