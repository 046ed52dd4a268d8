import { AuthForm } from "./auth-form.tsx";

export interface ProviderButtonsProps {
  providers: readonly { id: string; name: string }[];
  callbackUrl: string;
}

/** These forms need scripts: the content security policy blocks a form whose redirect leaves this origin. */
export function ProviderButtons({ providers, callbackUrl }: ProviderButtonsProps) {
  if (providers.length === 0) return null;
  return (
    <div className="mt-5 flex flex-col gap-3">
      <p className="flex items-center gap-3 text-12 text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or
      </p>
      {providers.map(({ id, name }) => (
        <AuthForm
          key={id}
          to={`signin/${id}`}
          fields={[]}
          hidden={{ callbackUrl }}
          submit={`Sign in with ${name}`}
        />
      ))}
    </div>
  );
}
