import { db } from "#lib/db.ts";
import { ApiError } from "#lib/errors.ts";
import { MAX_ID } from "#lib/http/fields.ts";
import type { Member } from "./schema.ts";
import { memberColumns, serializeMember } from "./serialize.ts";

/** A page of members, in the order they came. */
export async function listMembers(page: { skip: number; limit: number }) {
  const [rows, total] = await Promise.all([
    db.member.findMany({
      select: memberColumns,
      orderBy: { id: "asc" },
      skip: Math.min(page.skip, MAX_ID),
      take: page.limit,
    }),
    db.member.count(),
  ]);
  return { items: rows.map(serializeMember), total, skip: page.skip, limit: page.limit };
}

/** One member. @throws ApiError `member_not_found` */
export async function getMember(id: number): Promise<Member> {
  const row = await db.member.findUnique({ where: { id }, select: memberColumns });
  if (row === null) throw new ApiError("member_not_found");
  return serializeMember(row);
}
