import { collectDefaultMetrics, Histogram, register } from "prom-client";

const NAME = "sluice_http_request_duration_seconds";

// The bundler may load this module twice in a process; prom-client has one registry.
const durations =
  (register.getSingleMetric(NAME) as Histogram<"method" | "route" | "status"> | undefined) ??
  new Histogram({
    name: NAME,
    help: "Answers by method, declared path and status.",
    labelNames: ["method", "route", "status"],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  });

/** `route` is the declared path, because the requested path would make a label for each id. */
export function measure(method: string, route: string, status: number, seconds: number): void {
  durations.observe({ method, route, status }, seconds);
}

/** Metrics of this process, in Prometheus' text format. */
export async function measurements(): Promise<string> {
  if (register.getSingleMetric("process_cpu_user_seconds_total") === undefined) collectDefaultMetrics();
  return register.metrics();
}

export const measurementsType = register.contentType;
