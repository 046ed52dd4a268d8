"use client";
import { CirclePlay, CircleSlash, Ellipsis, KeyRound, LogOut } from "lucide-react";
import { useMember } from "#components/shell/member-context.tsx";
import { buttonClass } from "#components/ui/button.tsx";
import { DropdownMenu, MenuItem, MenuSeparator } from "#components/ui/dropdown-menu.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import type { Member, ResetLink } from "#lib/accounts/member-schema.ts";
import type { ApiFailure } from "#lib/client/api-failure.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import type { OneTimeLink } from "./link-dialog.tsx";

const onFailed = (failure: ApiFailure) => notifyFailed("The change failed", failure);

export function MemberActions({
  member,
  onLink,
  onChanged,
}: {
  member: Member;
  onLink: (link: OneTimeLink) => void;
  onChanged: (member: Member) => void;
}) {
  const me = useMember();
  const path = `/members/${member.id}`;
  const enable = useMutation<boolean, Member>(
    (on) => apiFetch(path, { method: "PATCH", body: { disabled: !on } }),
    {
      refresh: ["/api-keys*", "/members/links"],
      onDone: (after, on) => {
        onChanged(after);
        notifyDone(on ? `${after.name} is enabled` : `${after.name} is disabled`, {
          id: `state-${member.id}`,
          undo: () => void enable.run(!on),
        });
      },
      onFailed,
    },
  );
  const reset = useMutation<void, ResetLink>(() => apiFetch(`${path}/reset-link`, { method: "POST" }), {
    refresh: ["/members*"],
    onDone: ({ url }) =>
      onLink({
        title: `Reset link for ${member.name}`,
        hint: "Valid once, for 24 hours. Sluice does not send it; pass it on yourself.",
        url,
      }),
    onFailed,
  });
  const signOut = useMutation<void>(() => apiFetch(`${path}/sign-out`, { method: "POST" }), {
    onDone: () => notifyDone(`${member.name} is signed out everywhere`),
    onFailed,
  });
  const isOn = member.disabled_at === null;
  return (
    <DropdownMenu
      trigger={
        <button
          type="button"
          aria-label={`Actions for ${member.name}`}
          aria-busy={reset.pending || enable.pending || signOut.pending || undefined}
          className={buttonClass("ghost", "sm", "aspect-square px-0")}
        >
          <Ellipsis aria-hidden />
        </button>
      }
    >
      <MenuItem icon={<KeyRound aria-hidden />} onSelect={() => void reset.run()}>
        Create reset link
      </MenuItem>
      {member.id === me.id ? null : (
        <>
          <MenuItem icon={<LogOut aria-hidden />} onSelect={() => void signOut.run()}>
            Sign out everywhere
          </MenuItem>
          <MenuSeparator />
          <MenuItem
            icon={isOn ? <CircleSlash aria-hidden /> : <CirclePlay aria-hidden />}
            tone={isOn ? "danger" : "plain"}
            onSelect={() => void enable.run(!isOn)}
          >
            {isOn ? "Disable" : "Enable"}
          </MenuItem>
        </>
      )}
    </DropdownMenu>
  );
}
