"use client";
import { CirclePlay, CircleSlash, Ellipsis, KeyRound, LogOut } from "lucide-react";
import { useMember } from "#components/shell/member-context.tsx";
import { useAction } from "#components/ui/action-form.tsx";
import { buttonClass } from "#components/ui/button.tsx";
import { DropdownMenu, MenuItem, MenuSeparator } from "#components/ui/dropdown-menu.tsx";
import { notifyFailed } from "#components/ui/toast.tsx";
import type { Member, ResetLink } from "#lib/accounts/member-schema.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import { changeMember, signOutMember } from "../actions.ts";
import type { OneTimeLink } from "./link-dialog.tsx";

export function MemberActions({ member, onLink }: { member: Member; onLink: (link: OneTimeLink) => void }) {
  const me = useMember();
  const reset = useMutation<void, ResetLink>(
    () => apiFetch(`/members/${member.id}/reset-link`, { method: "POST" }),
    {
      refreshPage: true,
      onDone: ({ url }) =>
        onLink({
          title: `Reset link for ${member.name}`,
          hint: "Valid once, for 24 hours. Sluice does not send it; pass it on yourself.",
          url,
        }),
      onFailed: (failure) => notifyFailed("The change failed", failure),
    },
  );
  const isOn = member.disabled_at === null;
  const enable = useAction(changeMember, {
    id: `state-${member.id}`,
    undo: () => enable.send({ id: member.id, disabled: isOn }),
  });
  const signOut = useAction(signOutMember);
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
          <MenuItem
            icon={<LogOut aria-hidden />}
            onSelect={() => signOut.send({ id: member.id, name: member.name })}
          >
            Sign out everywhere
          </MenuItem>
          <MenuSeparator />
          <MenuItem
            icon={isOn ? <CircleSlash aria-hidden /> : <CirclePlay aria-hidden />}
            tone={isOn ? "danger" : "plain"}
            onSelect={() => enable.send({ id: member.id, disabled: isOn })}
          >
            {isOn ? "Disable" : "Enable"}
          </MenuItem>
        </>
      )}
    </DropdownMenu>
  );
}
