import { db } from "#lib/base/db.ts";
import { servicePrincipal } from "#lib/base/http/principal.ts";
import { deleteStream } from "#lib/collect/streams.ts";
import { seededShares } from "#tests/setup/random-numbers.ts";
import { makePost, makeStream } from "#tests/setup/factories.ts";

export const HOUR = 3_600_000;
export const events = [
  ...["fetched", "approved", "rejected", "auto_rejected"],
  ...["delivered", "errors", "nacks", "timeouts", "trimmed"],
];

interface Review {
  hour: number;
  approved: boolean;
  auto: boolean;
}
interface Known {
  stream: number;
  review: Review | null;
}

export class Model {
  readonly posts = new Map<number, Known>();
  private readonly past = new Map<string, number>();

  happened(hour: number, stream: number, event: string, n = 1): void {
    const key = `${hour}/${stream}/${event}`;
    this.past.set(key, (this.past.get(key) ?? 0) + n);
  }

  forget(id: number): void {
    const post = this.posts.get(id);
    if (post?.review) this.happened(post.review.hour, post.stream, eventOf(post.review));
    this.posts.delete(id);
  }

  expected(): Record<string, number> {
    const all = new Map(this.past);
    for (const { stream, review } of this.posts.values()) {
      if (review === null) continue;
      const key = `${review.hour}/${stream}/${eventOf(review)}`;
      all.set(key, (all.get(key) ?? 0) + 1);
    }
    return sorted([...all].filter(([, n]) => n !== 0));
  }
}

const eventOf = ({ approved, auto }: Review) => (auto ? "auto_rejected" : approved ? "approved" : "rejected");
export const sorted = (entries: [string, number][]) =>
  Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));

export class Walk {
  readonly model = new Model();
  private readonly random: () => number;
  private readonly memberId: number;
  private readonly streams: number[];

  constructor(seed: number, memberId: number, streams: number[]) {
    this.random = seededShares(seed);
    this.memberId = memberId;
    this.streams = streams;
  }

  private below(n: number): number {
    return Math.floor(this.random() * n);
  }
  private pick<T>(values: T[]): T | undefined {
    return values[this.below(values.length)];
  }
  private hoursAgo(): Date {
    return new Date(Date.now() - this.below(40) * HOUR);
  }
  private hourOf = (time: Date) => Math.floor(time.getTime() / HOUR) * HOUR;
  private thisHour = () => this.hourOf(new Date());

  private async inQueue(state: string): Promise<number[]> {
    const rows = await db.queue_entry.findMany({
      where: { state },
      select: { post_id: true },
      orderBy: { post_id: "asc" },
    });
    return rows.map((row) => row.post_id);
  }

  readonly steps: Record<string, () => Promise<void>> = {
    insert: async () => {
      const stream = this.pick([...this.streams, 0]) ?? 0;
      const fetched_at = this.hoursAgo();
      const auto = this.random() < 0.3;
      // Imported posts have unrelated review and fetch times.
      const reviewed_at = this.random() < 0.5 ? fetched_at : this.hoursAgo();
      const { id } = await makePost({
        fetched_at,
        stream_id: stream === 0 ? null : stream,
        instance: `host${this.below(4)}.example`,
        media: this.random() < 0.5 ? [{ type: "image", url: "https://host.example/x.png" }] : [],
        ...(auto ? { approved: false, reviewed_at, auto_reject_reason: "blocked_user" } : {}),
      });
      const hour = this.hourOf(fetched_at);
      this.model.happened(hour, stream, "fetched");
      this.model.posts.set(id, {
        stream,
        review: auto ? { hour: this.hourOf(reviewed_at), approved: false, auto } : null,
      });
    },
    review: async () => {
      const ids = [...this.model.posts.keys()].filter(() => this.random() < 0.15);
      const busy = new Set([...(await this.inQueue("reserved")), ...(await this.inQueue("delivered"))]);
      const chosen = ids.filter((id) => !busy.has(id));
      const approved = this.pick([true, true, true, true, false, null]) ?? null;
      const reviewed_at = approved === null ? null : this.hoursAgo();
      await db.$transaction(async (tx) => {
        await tx.post.updateMany({
          where: { id: { in: chosen } },
          data: {
            ...{ approved, reviewed_at, auto_reject_reason: null },
            reject_reason_id: approved === false ? chosen.length % 3 || null : null,
          },
        });
        await tx.queue_entry.deleteMany({ where: { post_id: { in: chosen } } });
        if (approved) await tx.$executeRaw`SELECT queue_enqueue(${chosen}::int[], now())`;
      });
      for (const id of chosen) {
        const review = reviewed_at && {
          hour: this.hourOf(reviewed_at),
          approved: approved === true,
          auto: false,
        };
        this.model.posts.get(id)!.review = review;
      }
    },
    reserve: () => this.reserve(),
    timeOut: async () => {
      const id = await this.oneReserved();
      if (id === undefined) return;
      await db.$executeRaw`UPDATE queue_entry SET lease_expires_at = now() - interval '1 second' WHERE post_id = ${id}`;
      await db.$executeRaw`SELECT queue_sweep()`;
      this.model.happened(this.thisHour(), this.model.posts.get(id)!.stream, "timeouts");
    },
    ack: () => this.settle("ack", "delivered"),
    nack: () => this.settle("nack", "nacks"),
    error: () => this.settle("error", "errors"),
    requeue: async () => {
      const id = this.pick(await this.inQueue("error"));
      if (id === undefined) return;
      await db.queue_entry.update({
        where: { post_id: id },
        data: { state: "pending", error_reason: null, errored_at: null },
      });
    },
    markDelivered: async () => {
      const id = this.pick(await this.inQueue("error"));
      if (id === undefined) return;
      await db.queue_entry.update({
        where: { post_id: id },
        data: { state: "delivered", error_reason: null, errored_at: null, delivered_at: new Date() },
      });
      this.model.happened(this.thisHour(), this.model.posts.get(id)!.stream, "delivered");
    },
    cleanup: async () => this.remove((await this.inQueue("delivered")).slice(0, 3), "cleanup"),
    trim: async () => {
      const ids = (await this.inQueue("pending")).filter((_, n) => n === 0 || this.random() < 0.2);
      for (const id of ids) this.model.happened(this.thisHour(), this.model.posts.get(id)!.stream, "trimmed");
      await this.remove(ids, "trim");
    },
    remove: async () => {
      const id = this.pick([...this.model.posts.keys()]);
      if (id !== undefined) await this.remove([id], "deleted");
    },
    deleteStream: async () => {
      const stream = this.pick(this.streams);
      if (stream === undefined || this.random() < 0.6) return;
      await deleteStream(servicePrincipal, stream);
      this.streams.splice(this.streams.indexOf(stream), 1, (await makeStream()).id);
      for (const post of this.model.posts.values()) if (post.stream === stream) post.stream = 0;
    },
    edit: async () => {
      const id = this.pick([...this.model.posts.keys()]);
      if (id === undefined) return;
      const media = this.random() < 0.5 ? [{ type: "image", url: "https://host.example/y.png" }] : [];
      await db.post.update({
        where: { id },
        data: { media, media_count: media.length, instance: `host${this.below(4)}.example`, likes: 3 },
      });
    },
    compact: async () => {
      await db.$queryRaw`SELECT compact_tally('UTC', ${1 + this.below(60)}::int)`;
    },
  };

  async step(): Promise<string> {
    const name = this.pick([
      "insert",
      "insert",
      "insert",
      "review",
      "reserve",
      "error",
      "nack",
      ...Object.keys(this.steps),
    ])!;
    await this.steps[name]!();
    return name;
  }

  private async reserve(): Promise<void> {
    await db.$queryRaw`SELECT * FROM queue_reserve(queue_identify(NULL, ${this.memberId}::int, 'M'), false, '{false}', 'UTC', 300)`;
  }

  private async oneReserved(): Promise<number | undefined> {
    if ((await this.inQueue("reserved")).length === 0) await this.reserve();
    return this.pick(await this.inQueue("reserved"));
  }

  private async settle(move: string, event: string): Promise<void> {
    const id = await this.oneReserved();
    if (id === undefined) return;
    await db.$queryRaw`SELECT * FROM queue_settle(queue_identify(NULL, ${this.memberId}::int, 'M'), ${id}::int, ${move}, NULL,
      ${move === "error" ? "gone" : null}::text, NULL, 300)`;
    this.model.happened(this.thisHour(), this.model.posts.get(id)!.stream, event);
  }

  private async remove(ids: number[], reason: string): Promise<void> {
    await db.$queryRaw`SELECT delete_posts(${ids}::int[], ${reason})`;
    for (const id of ids) this.model.forget(id);
  }
}
