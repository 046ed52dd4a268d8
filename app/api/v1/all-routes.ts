/*
 * Every route of the API, for those who need the whole registry: the OpenAPI document and the tests that walk all
 * endpoints. A test says which line is missing.
 */
import "#app/health/route.ts";
import "#app/info/route.ts";
import "#app/livez/route.ts";
import "#app/readyz/route.ts";
import "./api-keys/generate/route.ts";
import "./api-keys/revoke/route.ts";
import "./api-keys/status/route.ts";
import "./classify/rules/route.ts";
import "./classify/words/route.ts";
import "./classify/words/[id]/route.ts";
import "./curated/[post_id]/ack/route.ts";
import "./curated/[post_id]/error/route.ts";
import "./curated/[post_id]/extend/route.ts";
import "./curated/[post_id]/mark-delivered/route.ts";
import "./curated/[post_id]/nack/route.ts";
import "./curated/[post_id]/offer-again/route.ts";
import "./curated/[post_id]/release/route.ts";
import "./curated/[post_id]/requeue/route.ts";
import "./curated/cleanup/route.ts";
import "./curated/errors/requeue/route.ts";
import "./curated/next/route.ts";
import "./curated/trim-pending/route.ts";
import "./hashtags/route.ts";
import "./hashtags/[id]/route.ts";
import "./hashtags/[id]/schedule/route.ts";
import "./members/route.ts";
import "./members/[id]/route.ts";
import "./members/[id]/reset-link/route.ts";
import "./members/[id]/sign-out/route.ts";
import "./members/invitations/route.ts";
import "./members/invitations/[id]/route.ts";
import "./posts/route.ts";
import "./posts/[id]/route.ts";
import "./posts/[id]/approve/route.ts";
import "./posts/[id]/reject/route.ts";
import "./posts/[id]/review/route.ts";
import "./posts/[id]/score/route.ts";
import "./posts/batch-score/route.ts";
import "./profile/route.ts";
import "./profile/password/route.ts";
import "./profile/sign-out/route.ts";
import "./streams/route.ts";
import "./streams/[id]/route.ts";
import "./streams/[id]/schedule/route.ts";
