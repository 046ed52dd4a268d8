"use server";
import { cookies, headers } from "next/headers";
import { z } from "zod";
import { roles } from "#components/words.ts";
import { signOutEverywhere as endAllSessions, updateMember } from "#lib/accounts/accounts.ts";
import { generateKey as makeKey, revokeKey as dropKey } from "#lib/accounts/api-keys.ts";
import { formAction, formId as id } from "#lib/accounts/form-action.ts";
import { KeyGenerate } from "#lib/accounts/key-schema.ts";
import { createInvitation, createResetLink, revokeLink as dropLink } from "#lib/accounts/links.ts";
import { InvitationCreate, PasswordChange, ProfileUpdate } from "#lib/accounts/member-schema.ts";
import { changePassword as setPassword, updateProfile } from "#lib/accounts/profile.ts";
import { endSession as dropSession, sessionCookie } from "#lib/accounts/session.ts";
import { endOfDay } from "#lib/base/day-schema.ts";
import { roles as memberRoles } from "#lib/base/http/permissions.ts";
import { checkNames } from "#lib/checks/results/check-names.ts";
import { rules } from "#lib/checks/rules/rules.ts";
import { changeChecksSettings, readCheckSettings } from "#lib/checks/settings/check-settings.ts";
import { ClassifyWordCreate } from "#lib/checks/words/word-list.ts";
import { addWord as storeWord, removeWord as dropWord } from "#lib/checks/words/word-list.ts";
import { KeptDays, keptKinds } from "#lib/collect/retention-schema.ts";
import { countExpired, updateRetention } from "#lib/collect/retention.ts";
import { HostToken } from "#lib/collect/stream-schema.ts";
import { setHostToken } from "#lib/fediverse/hosts.ts";
import { readPreferences, type StoredPreferences } from "#lib/client/desk/preferences.ts";
import { formText } from "#lib/client/form-text.ts";
import { decodeUri } from "#lib/fediverse/urls.ts";
import { RejectReasonCreate } from "#lib/review/reject-reason-schema.ts";
import { addRejectReason, changeRejectReason } from "#lib/review/reject-reasons.ts";

/** Saves the fields that this member's form has. Defaults are not stored, so that a changed default reaches everyone. */
export const saveProfile = formAction({
  scope: "read",
  body: ProfileUpdate,
  read: (form) => {
    const { cover } = readPreferences({ covered_media: form.get("cover") });
    const desk: StoredPreferences = {
      covered_media: cover === "blur" ? null : cover,
      desk_keys_off: form.has("keys") ? null : true,
    };
    return {
      name: form.get("name"),
      time_zone: form.get("time_zone") || null,
      preferences: {
        ...(form.has("cover") ? desk : {}),
        ...(form.has("has_alerts") ? { alert_mail: form.has("alerts") ? null : false } : {}),
      },
      ...(form.has("has_services") ? { sign_in_with: form.getAll("sign_in_with") } : {}),
    };
  },
  run: async (me, body) => {
    await updateProfile(me, body);
    return "Saved";
  },
});

/** For controls that already show the new value. */
export const savePreferences = formAction({
  scope: "read",
  body: ProfileUpdate,
  refresh: false,
  run: async (me, body) => ({ message: "Saved", result: await updateProfile(me, body) }),
});

/** This browser gets the cookie of a new session. */
export const changePassword = formAction({
  scope: "read",
  body: PasswordChange,
  read: (form) => ({ ...Object.fromEntries(form), revoke_keys: form.has("revoke_keys") }),
  run: async (me, body) => {
    const session = await setPassword(me, me.session_id, body, await headers());
    (await cookies()).set(await sessionCookie(me.member_id, session));
    return "Password changed";
  },
});

export const endSession = formAction({
  scope: "read",
  body: z.object({ id: z.string(), browser: z.string() }),
  run: async (me, body) => {
    await dropSession(me, body.id);
    const message = `The session of ${body.browser} is ended`;
    return body.id === me.session_id ? { message, leaveTo: "/sign-in" } : message;
  },
});

export const signOutEverywhere = formAction({
  scope: "read",
  body: z.object({}),
  run: async (me) => {
    await endAllSessions(me, me.member_id);
    return { message: "Signed out everywhere", leaveTo: "/sign-in" };
  },
});

export const changeMember = formAction({
  scope: "manage",
  body: z.object({ id, access: z.enum([...memberRoles, "disabled"]) }),
  run: async (me, { id: member, access }) => {
    const change = access === "disabled" ? { disabled: true } : { role: access, disabled: false };
    const { name, role, disabled } = await updateMember(me, member, change);
    return `${name} is now ${disabled ? "disabled" : roles[role]}`;
  },
});

const once = "Shown only once. Valid once, for";
const passOn = "Sluice does not send it; pass it on yourself.";

export const inviteMember = formAction({
  scope: "manage",
  body: InvitationCreate,
  run: async (me, body) => {
    const { url, mailed } = await createInvitation(me, body);
    const sent = "A link is also sent to this address by e-mail; both lead to the same invitation.";
    const hint = `${once} 7 days. ${mailed ? sent : passOn}`;
    return { message: "", result: { label: `Invitation for ${body.email}`, value: url, hint } };
  },
});

export const makeResetLink = formAction({
  scope: "manage",
  body: z.object({ id, name: z.string() }),
  run: async (me, body) => {
    const { url } = await createResetLink(me, body.id);
    const hint = `${once} 24 hours. ${passOn}`;
    return { message: "", result: { label: `Reset link for ${body.name}`, value: url, hint } };
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

/** The last day ends in the member's time zone. */
export const generateKey = formAction({
  scope: "keys",
  body: KeyGenerate.extend({ expires_at: z.iso.date().startsWith("2").nullable() }),
  read: (form) => ({
    name: form.get("name"),
    scopes: form.getAll("scopes"),
    stream_ids: form.getAll("stream_ids").map(Number),
    expires_at: form.get("expires_at") || null,
  }),
  run: async (me, { expires_at: day, ...values }, { time_zone }) => {
    const expires_at = day === null ? null : endOfDay(day, time_zone);
    const { api_key } = await makeKey(me, { ...values, expires_at });
    const hint = "Shown only once. Store it with your program's secrets.";
    return { message: "", result: { label: "API key", value: api_key, hint } };
  },
});

export const revokeKey = formAction({
  scope: "keys",
  body: z.object({ id, name: z.string() }),
  run: async (me, body) => {
    await dropKey(me, body.id);
    return `${body.name} revoked`;
  },
});

/** Without an id it adds a reason; without a place it archives one. */
export const saveReason = formAction({
  scope: "manage",
  body: RejectReasonCreate.extend({ id: id.optional(), place: id.optional() }),
  read: (form) => ({
    ...Object.fromEntries(form),
    id: form.get("id") || undefined,
    place: form.get("place") || undefined,
  }),
  run: async (me, { id: reason, place, ...values }) => {
    const { label } =
      reason === undefined
        ? await addRejectReason(me, values)
        : await changeRejectReason(me, reason, { ...values, place, archived: place === undefined });
    return `“${label}” saved`;
  },
});

const percent = z
  .string()
  .regex(/^(\d{1,3}([.,]\d{1,2})?)?$/)
  .transform((text) => (text === "" ? null : Math.round(Number(text.replace(",", ".")) * 100) / 10_000))
  .pipe(z.number().min(0.01).max(1).nullable());

/** Saves the checks that the form shows. Thresholds are in percent; empty means the default. */
export const saveChecks = formAction({
  scope: "manage",
  body: z.object({
    checks: z.array(
      z.object({ name: z.enum(checkNames), enabled: z.boolean(), votes: z.boolean(), threshold: percent }),
    ),
    rules: z.array(z.object({ name: z.string(), enabled: z.boolean() })),
  }),
  read: (form) => ({
    checks: form
      .getAll("checks")
      .filter((name) => typeof name === "string")
      .map((name) => ({
        name,
        enabled: form.has(`enabled_${name}`),
        votes: form.has(`votes_${name}`),
        threshold: formText(form, `threshold_${name}`),
      })),
    rules: rules.map(({ name }) => ({ name, enabled: form.getAll("rules").includes(name) })),
  }),
  run: async (me, body) => {
    const { checks: now } = await readCheckSettings();
    // Do not store a default that was not changed.
    const checks = body.checks.map(({ votes, ...check }) =>
      votes === now[check.name].votes ? check : { ...check, votes },
    );
    await changeChecksSettings(me, { checks, rules: body.rules });
    return "Saved. Stored posts are being judged again.";
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

/** Asks for confirmation if something would be deleted. `confirmed` contains the days that the count was shown for. */
export const saveRetention = formAction({
  scope: "manage",
  body: KeptDays.extend({ confirmed: z.string().nullable() }),
  read: (form) => ({
    ...Object.fromEntries(
      keptKinds.map((kind) => {
        const text = formText(form, `${kind}_days`);
        return [`${kind}_days`, text === "" ? null : Number(text)];
      }),
    ),
    confirmed: form.get("confirmed"),
  }),
  run: async (me, { confirmed, ...days }) => {
    const would_delete = await countExpired(days);
    if (confirmed !== JSON.stringify(days) && Object.values(would_delete).some((count) => count > 0))
      return { message: "", result: { days, would_delete } };
    await updateRetention(me, days);
    return "Saved. The next daily cleanup applies it.";
  },
});

/** Sets a token; null removes it. */
export const setToken = formAction({
  scope: "manage",
  body: z.intersection(z.object({ instance: z.string() }), HostToken),
  read: (form) => ({ instance: formText(form, "instance"), token: formText(form, "token") }),
  run: async (me, { instance, token }) => {
    const host = decodeUri(instance);
    await setHostToken(me, host, token);
    return token === null ? `Token for ${host} removed` : `Token for ${host} saved`;
  },
});
