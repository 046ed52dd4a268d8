import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { addressesOf } from "./render-status.ts";
import type { World } from "./answers.ts";

const target = z.enum(["timeline", "status", "account", "nodeinfo", "media", "all"]).default("timeline");
const fault = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("status"),
    status: z.number().int().min(200).max(599),
    headers: z.record(z.string(), z.string()).optional(),
    body: z.string().optional(),
    type: z.string().optional(),
  }),
  z.object({ kind: z.literal("slow"), ms: z.number().int().min(0) }),
  z.object({
    kind: z.enum(["stall", "stall_body", "drop", "invalid_json", "html", "wrong_shape", "endless"]),
  }),
]);

const command = z.discriminatedUnion("action", [
  z.object({ action: z.literal("arrive"), count: z.number().int().min(1).max(1000).default(1) }),
  z.object({ action: z.literal("arrive_every"), ms: z.number().int().min(0) }),
  z.object({ action: z.literal("edit"), post: z.string(), paragraphs: z.array(z.string()) }),
  z.object({
    action: z.literal("delete"),
    post: z.string(),
    how: z.enum(["gone", "missing"]).default("gone"),
  }),
  z.object({
    action: z.literal("set_visibility"),
    post: z.string(),
    visibility: z.enum(["public", "unlisted", "private", "direct"]),
  }),
  z.object({ action: z.literal("opt_out"), username: z.string(), tag: z.string().default("nobot") }),
  z.object({ action: z.literal("fail"), fault, on: target }),
  z.object({ action: z.literal("fail_next"), fault, on: target, times: z.number().int().min(1).default(1) }),
  z.object({ action: z.literal("clear_faults") }),
  z.object({
    action: z.literal("rate_limit"),
    limit: z.number().int().min(0).nullable(),
    window_seconds: z.number().int().min(1).default(300),
  }),
]);

/** `GET /control` returns the state, `POST /control` runs `Control` operations for other processes. */
export function handleControl(
  world: World,
  request: IncomingMessage,
  response: ServerResponse,
  body: Record<string, unknown>,
): void {
  const reply = (status: number, json: unknown) =>
    void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(json));
  if (request.method !== "POST") return reply(200, describe(world));
  const parsed = command.safeParse(body);
  if (!parsed.success) return reply(422, { detail: z.prettifyError(parsed.error) });
  try {
    reply(200, run(world, parsed.data));
  } catch (error) {
    reply(404, { detail: error instanceof Error ? error.message : "failed" });
  }
}

function run(world: World, order: z.infer<typeof command>): unknown {
  const { control } = world;
  switch (order.action) {
    case "arrive":
      return { posts: control.arrive(order.count).map((post) => addressesOf(post, world).uri) };
    case "arrive_every":
      control.arriveEvery(order.ms);
      break;
    case "edit":
      control.editPost(order.post, order.paragraphs);
      break;
    case "delete":
      control.deletePost(order.post, order.how);
      break;
    case "set_visibility":
      control.setVisibility(order.post, order.visibility);
      break;
    case "opt_out":
      control.optOut(order.username, order.tag);
      break;
    case "fail":
      control.fail(order.fault, order.on);
      break;
    case "fail_next":
      control.failNext(order.fault, { on: order.on, times: order.times });
      break;
    case "clear_faults":
      control.clearFaults();
      break;
    case "rate_limit":
      control.rateLimit =
        order.limit === null ? null : { limit: order.limit, windowSeconds: order.window_seconds };
      break;
  }
  return { done: true };
}

function describe(world: World): unknown {
  return {
    software: world.software,
    requests: world.control.requests.length,
    people: world.control.people.map((one) => one.username),
    posts: world.control.posts.map((post) => ({
      id: post.id,
      uri: addressesOf(post, world).uri,
      kind: post.kind,
      author: post.author.username,
      hashtags: post.hashtags,
      created_at: post.created_at,
      deleted: post.deleted,
    })),
  };
}
