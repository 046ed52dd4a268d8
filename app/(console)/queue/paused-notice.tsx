import { Pause, Play } from "lucide-react";
import { reaches } from "#components/shell/roles.ts";
import { ActionButton } from "#components/ui/action-form.tsx";
import { ExactTime } from "#components/ui/relative-time.tsx";
import { Notice } from "#components/ui/states.tsx";
import { requireMember } from "#lib/accounts/current-member.ts";
import { lostHours } from "#lib/blocking/switches.ts";
import { pauseDeliveries } from "./actions.ts";

/** Notice that deliveries are paused. After a restore it names the hours whose changes are lost. */
export async function PausedNotice() {
  const [{ role }, lost] = await Promise.all([requireMember(), lostHours()]);
  return (
    <Notice
      tone="warn"
      icon={<Pause aria-hidden />}
      action={
        reaches(role, "admin") ? (
          <ActionButton size="sm" icon={<Play aria-hidden />} action={pauseDeliveries} fields={{ on: false }}>
            Resume deliveries
          </ActionButton>
        ) : null
      }
    >
      Deliveries are paused: boost bots get no posts. Reviews and answers of bots go on.
      {lost === null ? null : (
        <span className="block">
          A backup was restored. Changes of these hours are lost: <ExactTime at={lost.from} /> –{" "}
          <ExactTime at={lost.to} />. Posts that were handed out then may be handed out again.
        </span>
      )}
    </Notice>
  );
}
