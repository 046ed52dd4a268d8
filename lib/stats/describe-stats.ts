import { getStats } from "./get-stats.ts";

/**
 * Prometheus' text format (https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format). Not
 * gauges of prom-client, because the figures come from the database and are the same in every process.
 */
export async function describeStats(): Promise<string> {
  const stats = await getStats();
  return [
    family("sluice_posts", "gauge", "Posts stored now, by review.", "state", {
      approved: stats.approved_posts,
      rejected: stats.rejected_posts,
      unreviewed: stats.unreviewed_posts,
    }),
    family(
      "sluice_queue_posts",
      "gauge",
      "Posts in the curated queue, by state.",
      "state",
      stats.queue_status,
    ),
    family("sluice_streams", "gauge", "Streams.", "state", {
      active: stats.active_streams,
      paused: stats.total_streams - stats.active_streams,
    }),
    family("sluice_posts_total", "counter", "Events of posts, of all time.", "event", stats.all_time),
  ].join("");
}

function family(
  name: string,
  type: "gauge" | "counter",
  help: string,
  label: string,
  values: Record<string, number>,
): string {
  const lines = Object.entries(values).map(([value, figure]) => `${name}{${label}="${value}"} ${figure}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`;
}
