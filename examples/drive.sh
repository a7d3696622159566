#!/usr/bin/env bash
# A task driven from bash, with nothing but curl: it asks people, and goes on with their answer.
set -euo pipefail

api="${TOOLTHREAD_URL:-http://127.0.0.1:3000}/api/v1"
driver="backup-$$"

# post PATH JSON: sends it, again when the server is away, and prints the answer.
post() {
  curl --silent --show-error --fail-with-body --retry 5 --retry-all-errors --retry-delay 1 \
    --header "Content-Type: application/json" \
    ${TOOLTHREAD_API_KEY:+--header "Authorization: Bearer $TOOLTHREAD_API_KEY"} \
    --data "$2" "$api$1"
}

# field NAME: a text or number of the JSON on standard input.
field() {
  sed -n "s/.*\"$1\":\"\{0,1\}\([^\",}]*\).*/\1/p"
}

task=$(post /drive "{\"type\":\"examples/backup\",\"driverId\":\"$driver\",\"idempotencyKey\":\"$driver\"}" | field taskId)
echo "Task $task"
post "/drive/$task/update" "{\"driverId\":\"$driver\",\"sequence\":1,\"message\":\"Looking for old backups\"}" >/dev/null

question="{\"driverId\":\"$driver\",\"key\":\"old\",\"prompt\":\"Delete 3 old backups?\",\"choices\":[\"yes\",\"no\"],\"wait\":30}"
outcome=null
while [ "$outcome" = null ]; do
  told=$(post "/drive/$task/ask" "$question")
  outcome=$(field outcome <<<"$told")
done

if [ "$outcome" = cancelled ]; then
  post "/drive/$task/finish" "{\"driverId\":\"$driver\",\"status\":\"cancelled\"}" >/dev/null
  exit 5
fi
answer=$(field answer <<<"$told")
post "/drive/$task/finish" "{\"driverId\":\"$driver\",\"status\":\"completed\",\"result\":{\"deleted\":\"$answer\"}}" >/dev/null
echo "Finished: $answer"
