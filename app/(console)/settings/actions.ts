"use server";
import { z } from "zod";
import { roles } from "#components/words.ts";
import { signOutEverywhere as endAllSessions, updateMember } from "#lib/accounts/accounts.ts";
import { formAction } from "#lib/accounts/form-action.ts";
import { revokeLink as dropLink } from "#lib/accounts/links-made.ts";
import { MemberUpdate, ProfileUpdate, providers } from "#lib/accounts/member-schema.ts";
import { getProfile, updateProfile } from "#lib/accounts/profile.ts";
import { endSession as dropSession } from "#lib/accounts/sessions.ts";
import { ClassifyWordCreate } from "#lib/checks/words/schema.ts";
import { addWord as storeWord, removeWord as dropWord } from "#lib/checks/words/word-list.ts";
import { HostToken } from "#lib/collect/stream-schema.ts";
import { setHostToken } from "#lib/fediverse/hosts.ts";
import { decodeUri } from "#lib/fediverse/urls.ts";
import { MAX_REASONS, RejectReasonCreate, RejectReasonUpdate } from "#lib/review/reject-reason-schema.ts";
import { addRejectReason, changeRejectReason, listRejectReasons } from "#lib/review/reject-reasons.ts";

const id = z.coerce.number().int().positive();
const on = z.stringbool();

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value.trim() : "";
}

export const saveProfile = formAction({
  scope: "read",
  body: ProfileUpdate,
  read: (form) => ({ name: form.get("name"), time_zone: form.get("time_zone") || null }),
  run: async (me, body) => {
    await updateProfile(me, body);
    return "Saved";
  },
});

export const sendAlerts = formAction({
  scope: "read",
  body: z.object({ on }),
  run: async (me, body) => {
    await updateProfile(me, { preferences: { alert_mail: body.on ? null : false } });
    return body.on ? "Alerts are sent to your address" : "No alerts are sent to your address";
  },
});

export const allowService = formAction({
  scope: "read",
  body: z.object({ service: z.enum(providers), name: z.string(), on }),
  run: async (me, { service, name, on: allowed }) => {
    const others = (await getProfile(me.member_id)).sign_in_with.filter((each) => each !== service);
    await updateProfile(me, { sign_in_with: allowed ? [...others, service] : others });
    return allowed ? `${name} can sign you in` : `${name} can no longer sign you in`;
  },
});

export const endSession = formAction({
  scope: "read",
  body: z.object({ id: z.string(), browser: z.string() }),
  run: async (me, body) => {
    await dropSession(me, body.id);
    const said = `The session of ${body.browser} is ended`;
    return body.id === me.session_id ? { said, leave: "/sign-in" } : said;
  },
});

export const signOutEverywhere = formAction({
  scope: "read",
  body: z.object({}),
  run: async (me) => {
    await endAllSessions(me, me.member_id);
    return { said: "Signed out everywhere", leave: "/sign-in" };
  },
});

export const changeMember = formAction({
  scope: "manage",
  body: z.object({ id, role: MemberUpdate.shape.role, disabled: on.optional() }),
  run: async (me, { id: member, ...change }) => {
    const { name, role, disabled_at } = await updateMember(me, member, change);
    if (change.role !== undefined) return `${name} is now ${roles[role]}`;
    return `${name} is ${disabled_at === null ? "enabled" : "disabled"}`;
  },
});

export const signOutMember = formAction({
  scope: "manage",
  body: z.object({ id, name: z.string() }),
  run: async (me, body) => {
    await endAllSessions(me, body.id);
    return `${body.name} is signed out everywhere`;
  },
});

export const revokeLink = formAction({
  scope: "manage",
  body: z.object({ id, email: z.string() }),
  run: async (me, body) => {
    await dropLink(me, body.id);
    return `The link for ${body.email} is revoked`;
  },
});

export const addReason = formAction({
  scope: "manage",
  body: RejectReasonCreate,
  run: async (me, body) => `“${(await addRejectReason(me, body)).label}” added`,
});

/** Only the fields that are sent. `move` is relative, so that quick presses add up. */
export const changeReason = formAction({
  scope: "manage",
  body: z.object({
    id,
    label: RejectReasonUpdate.shape.label,
    about: RejectReasonUpdate.shape.about,
    move: z.coerce.number().int().optional(),
    archived: on.optional(),
  }),
  run: async (me, { id: reason, move, ...change }) => {
    const place = (await listRejectReasons()).find((each) => each.id === reason)?.place ?? 1;
    const { label } = await changeRejectReason(me, reason, {
      ...change,
      ...(move === undefined ? {} : { place: Math.min(MAX_REASONS, Math.max(1, place + move)) }),
    });
    if (change.archived === undefined) return `“${label}” changed`;
    return `“${label}” ${change.archived ? "archived" : "restored"}`;
  },
});

export const addWord = formAction({
  scope: "manage",
  body: ClassifyWordCreate,
  run: async (me, body) => `“${(await storeWord(me, body)).word}” added`,
});

export const removeWord = formAction({
  scope: "manage",
  body: z.object({ id, word: z.string() }),
  run: async (me, body) => {
    await dropWord(me, body.id);
    return `“${body.word}” removed`;
  },
});

/** Without a token removes it. */
export const setToken = formAction({
  scope: "manage",
  body: z.intersection(z.object({ instance: z.string() }), HostToken),
  read: (form) => ({
    instance: textOf(form, "instance"),
    token: form.has("token") ? textOf(form, "token") : null,
  }),
  run: async (me, { instance, token }) => {
    const host = decodeUri(instance);
    await setHostToken(me, host, token);
    return token === null ? `Token for ${host} removed` : `Token for ${host} saved`;
  },
});
