import { listStreams } from "./list-streams.ts";

/** Every stream by the little a choice of streams shows. */
export async function streamChoices(): Promise<{ id: number; hashtag: string; instance: string }[]> {
  const { items } = await listStreams({ skip: 0, limit: 1000 });
  return items.map(({ id, hashtag, instance }) => ({ id, hashtag, instance }));
}
