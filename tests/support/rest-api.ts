export interface paths {
    "/task-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the task types that can be started */
        get: operations["tasks_types"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instructions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read what a language model is to be told about the tools and the task types */
        get: operations["instructions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List tasks, newest first or in another order */
        get: operations["tasks_list"];
        put?: never;
        /**
         * Start a task
         * @description 201 with the address of the task in `Location`; 200 when the idempotency key had started it before, so that a start can be repeated when its answer was lost.
         */
        post: operations["tasks_start"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks/{taskId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a task with its parameters, questions and result */
        get: operations["tasks_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks/{taskId}/poll": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Wait for news of a task: updates, questions, the result
         * @description Answers as soon as there is news after `since`, or after `timeout` seconds without any. Pass the `cursor` of each response as the next `since`, and nothing is lost or told twice.
         */
        get: operations["tasks_poll"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks/{taskId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream the timeline of a task
         * @description Server-sent events: the timeline from its beginning, then what happens, until the task ends. The id of an event is its `seq`; a client that lost the connection sends it back as `Last-Event-ID` and goes on from there. `progress` events have no id. 204 when the task has ended and there is nothing more to tell, which ends an EventSource for good.
         */
        get: operations["tasks_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks/{taskId}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Save a task with its whole timeline as JSON or text */
        get: operations["tasks_timeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks/{taskId}/rerun": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Start a finished task again, with the same parameters or others */
        post: operations["tasks_rerun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks/{taskId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask a task to end
         * @description Its open questions are closed and its handler is told, which may still clean up. `cancelled` is false when the task had already ended.
         */
        post: operations["tasks_cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/questions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List open questions by deadline, or resolved ones, latest first */
        get: operations["questions_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/questions/{questionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a question */
        get: operations["questions_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/questions/{questionId}/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a question
         * @description The first answer wins. Whoever comes second is told in a 409 how the question ended; the same caller may repeat the answer that won. One that does not fit leaves the question open.
         */
        post: operations["questions_answer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/questions/answers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer several questions, each for itself
         * @description One that is refused says why, and keeps none of the others. Not for approvals and secrets.
         */
        post: operations["questions_answerMany"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/questions/{questionId}/decline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decline a question
         * @description The task is told that nobody answers, and why. 409 when the question is closed.
         */
        post: operations["questions_decline"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/questions/{questionId}/claim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say that you are seeing to a question
         * @description For ten minutes. 409 when somebody else is. For people only.
         */
        post: operations["questions_claim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/questions/{questionId}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take such a claim back
         * @description 409 when it is somebody else's.
         */
        post: operations["questions_release"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List who did what, newest first */
        get: operations["audit_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Save the whole audit log as JSON lines or CSV */
        get: operations["audit_export"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/drive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a task that your own program runs
         * @description Its type has no handler here. Your program says what happens with the calls below, each of which keeps the task alive; when none comes within the lease the task fails with `DriverLost`. Every answer tells whether it was cancelled.
         */
        post: operations["drive_start"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/drive/{taskId}/heartbeat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say that your program still works
         * @description Send one every third of the lease, and stop when `cancelRequested` is true.
         */
        post: operations["drive_heartbeat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/drive/{taskId}/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Post an update */
        post: operations["drive_update"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/drive/{taskId}/progress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Say how far it is */
        post: operations["drive_progress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/drive/{taskId}/ask": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask people, and wait for the outcome
         * @description Opens the question with the first call of a `key`. Until `outcome` is set, send the very same call again: it waits on, and never asks twice.
         */
        post: operations["drive_ask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/drive/{taskId}/finish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End the task
         * @description The same end again is told as done; another one is a 409.
         */
        post: operations["drive_finish"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Problem: {
            title: string;
            status: number;
            /** @description What is wrong, in words */
            detail: string;
            /**
             * @description What is wrong, for programs; it never changes
             * @enum {string}
             */
            code: "task_not_found" | "unknown_task_type" | "invalid_input" | "invalid_params" | "invalid_answer" | "invalid_cursor" | "conflict" | "idempotency_conflict" | "forbidden" | "unauthorized" | "too_many_attempts" | "task_cancelled" | "grant_refused" | "secret_unreadable" | "child_task_failed" | "task_timeout" | "question_declined" | "lease_lost" | "shutting_down" | "store_unavailable" | "store_locked" | "migration_refused" | "server_unreachable" | "ambiguous_step" | "replay_mismatch" | "non_retryable" | "not_json" | "too_large" | "unsupported_media_type" | "sign_on_unavailable" | "session_expired" | "foreign_origin" | "unknown_host" | "unknown_route" | "method_not_allowed" | "client_gone" | "internal";
            details: {
                [key: string]: unknown;
            };
        };
        Task: {
            taskId: string;
            type: string;
            /** @enum {string} */
            status: "pending" | "running" | "waiting_for_input" | "completed" | "failed" | "cancelled";
            /** @description UTC with six decimals, for example 2026-11-30T17:04:05.000123Z */
            createdAt: string;
            createdBy: components["schemas"]["Actor"];
            startedAt: string | null;
            finishedAt: string | null;
            lastSeq: number;
            /** @description UTC with six decimals, for example 2026-11-30T17:04:05.000123Z */
            lastEventAt: string;
            /** @description Executions of the handler so far */
            attempt: number;
            epoch: number;
            interrupts: number;
            failures: number;
            workerId: string | null;
            leaseExpiresAt: string | null;
            wakeAt: string | null;
            priority: number;
            labels: {
                [key: string]: string;
            };
            cancelRequestedAt: string | null;
            cancelReason: string | null;
            cancelledBy: components["schemas"]["Actor"] | null;
            progress: components["schemas"]["Progress"] | null;
            openQuestions: number;
            parentTaskId: string | null;
            rerunOf: string | null;
            idempotencyKey: string | null;
            requestDigest: string | null;
            concurrencyKey: string | null;
            holdsKey: boolean;
            /** @description Of a task driven from outside: its driver's number of the last update */
            driverSequence: number | null;
            workedSeconds: number;
            waitedSeconds: number;
            clock: ("working" | "waiting") | null;
            clockSince: string | null;
            errorSummary: string | null;
            /** @enum {string} */
            activity: "queued" | "running" | "waiting" | "parked" | "resuming" | "done";
        };
        /** @description Who did something, and over which surface */
        Actor: {
            /** @enum {string} */
            kind: "operator" | "agent" | "system";
            id: string;
            name: string;
            /** @enum {string} */
            surface: "library" | "dashboard" | "trpc" | "rest" | "mcp" | "agent-tools" | "cli" | "system";
        };
        Progress: {
            done: number;
            total: number | null;
            message: string | null;
            /** @description UTC with six decimals, for example 2026-11-30T17:04:05.000123Z */
            at: string;
            /** @description What is counted, for example bytes */
            unit?: string;
            /** @description How fast it goes on, by the working clock, which leaves waiting for people out */
            pace?: {
                done: number;
                workedSeconds: number;
                perSecond: number | null;
            };
        };
        Question: {
            questionId: string;
            taskId: string;
            key: string;
            prompt: string;
            /** @description Seconds from askedAt to deadline */
            timeout: number;
            /** @description UTC with six decimals, for example 2026-11-30T17:04:05.000123Z */
            askedAt: string;
            /** @description UTC with six decimals, for example 2026-11-30T17:04:05.000123Z */
            deadline: string;
            choices: {
                value: string;
                label: string;
                description?: string;
            }[] | null;
            /** @description The answer is a list of choices */
            multiple: boolean;
            /** @description JSON Schema the answer must fit */
            schema: {
                [key: string]: unknown;
            } | null;
            /** @enum {string} */
            answerableBy: "anyone" | "operator";
            /**
             * @description How much it presses
             * @enum {string}
             */
            urgency: "low" | "normal" | "high";
            /** @description The answer is a secret: it reads ••• everywhere */
            secret: boolean;
            hasDefault: boolean;
            /** @description Any JSON value */
            defaultValue: unknown;
            /** @description Any JSON value */
            context: unknown;
            /** @description null while the question is open */
            outcome: ("answered" | "declined" | "timed_out" | "cancelled") | null;
            /** @description Any JSON value */
            answer: unknown;
            answeredAt: string | null;
            resolvedAt: string | null;
            resolvedBy: components["schemas"]["Actor"] | null;
            declineReason: string | null;
            defaultUsed: boolean;
            firstSeenAt: string | null;
            firstSeenBy: components["schemas"]["Actor"] | null;
            /** @description Who is seeing to it; it holds nobody else off */
            claimedBy: components["schemas"]["Actor"] | null;
            claimedUntil: string | null;
            /** @description seq of the event that changed it last */
            lastSeq: number;
            forgotten: boolean;
            /** @description Set where an action is to be approved */
            approval: components["schemas"]["Approval"] | null;
            isAnswered: boolean;
            isResolved: boolean;
            timedOut: boolean;
        };
        /** @description What is to be approved, and by whom it is so far */
        Approval: {
            action: string;
            /** @description Any JSON value */
            args: unknown;
            /** @description SHA-256 of the canonical JSON of args, in hex */
            argsDigest: string;
            /** @description The digest of what the handler asked for */
            askedDigest: string;
            argsSchema: {
                [key: string]: unknown;
            } | null;
            /** @description An operator may change the arguments */
            allowEdit: boolean;
            edited: {
                by: components["schemas"]["Actor"];
                /** @description UTC with six decimals, for example 2026-11-30T17:04:05.000123Z */
                at: string;
                /** @description Any JSON value */
                askedArgs: unknown;
            } | null;
            /** @description How many different people have to approve */
            needed: number;
            given: {
                by: components["schemas"]["Actor"];
                /** @description UTC with six decimals, for example 2026-11-30T17:04:05.000123Z */
                at: string;
            }[];
            /** @description false: not by who started the task */
            selfApproval: boolean;
            /** @description Seconds the grant can be used once it is given */
            expiresIn: number;
            expiresAt: string | null;
            usedBy: {
                name: string;
                key: string;
                /** @description UTC with six decimals, for example 2026-11-30T17:04:05.000123Z */
                at: string;
            } | null;
        };
        AuditEntry: {
            /** @description Its place in the log */
            auditId: number;
            /** @description UTC with six decimals, for example 2026-11-30T17:04:05.000123Z */
            at: string;
            /** @enum {string} */
            action: "task.started" | "task.rerun" | "task.cancelled" | "question.answered" | "question.declined" | "question.seen" | "question.claimed" | "question.released" | "question.refused" | "approval.given" | "identity.signed_in" | "identity.sign_in_failed" | "identity.signed_out" | "identity.sessions_ended" | "identity.password_changed" | "identity.set_up" | "identity.invite_made" | "identity.invite_withdrawn" | "identity.invite_accepted" | "identity.person_changed" | "identity.person_entered" | "identity.sign_on_connected" | "identity.sign_on_disconnected" | "identity.passkey_added" | "identity.passkey_renamed" | "identity.passkey_removed" | "identity.key_made" | "identity.key_revoked" | "identity.key_refused" | "identity.attempts_blocked" | "identity.type_rule_changed" | "audit.exported";
            /** @description null: nobody was identified */
            actor: {
                /** @enum {string} */
                kind: "operator" | "agent" | "system";
                id: string;
                name: string;
            } | null;
            /** @description Of an agent: who owns its key */
            keyOwnerId: string | null;
            surface: ("library" | "dashboard" | "trpc" | "rest" | "mcp" | "agent-tools" | "cli" | "system") | null;
            /** @description The remote address of the call */
            address: string | null;
            taskId: string | null;
            taskType: string | null;
            questionId: string | null;
            /** @description What changed; secrets read ••• */
            details: {
                [key: string]: unknown;
            };
        };
        DriverState: {
            taskId: string;
            /** @enum {string} */
            status: "pending" | "running" | "waiting_for_input" | "completed" | "failed" | "cancelled";
            /** @description Stop now, and finish with `cancelled` */
            cancelRequested: boolean;
            cancelReason: string | null;
            /** @description When the task ends unless another call comes */
            leaseExpiresAt: string | null;
        };
    };
    responses: {
        /** @description Unauthorized: `unauthorized`, `session_expired` */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Forbidden: `forbidden`, `foreign_origin` */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Misdirected Request: `unknown_host` */
        MisdirectedRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Too Many Requests: `too_many_attempts` */
        TooManyRequests: {
            headers: {
                /** @description Seconds after which to repeat the call */
                "Retry-After": string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Internal Server Error: `internal` */
        InternalServerError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Service Unavailable: `store_unavailable`, `shutting_down` */
        ServiceUnavailable: {
            headers: {
                /** @description Seconds after which to repeat the call */
                "Retry-After": string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    tasks_types: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "type": "deploy",
                     *         "title": "Deploy",
                     *         "description": "Checks an environment, asks whether to proceed, and deploys.",
                     *         "paramsSchema": {
                     *           "type": "object",
                     *           "properties": {
                     *             "env": {
                     *               "type": "string"
                     *             }
                     *           },
                     *           "required": [
                     *             "env"
                     *           ],
                     *           "additionalProperties": false
                     *         },
                     *         "example": false
                     *       }
                     *     ]
                     */
                    "application/json": {
                        type: string;
                        title: string;
                        description: string;
                        paramsSchema: {
                            [key: string]: unknown;
                        } | null;
                        example: boolean;
                    }[];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    instructions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example # Long-running tasks
                     *
                     *     Some of your tools start work that goes on in the background…
                     */
                    "text/markdown": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    tasks_list: {
        parameters: {
            query?: {
                statuses?: ("pending" | "running" | "waiting_for_input" | "completed" | "failed" | "cancelled")[];
                /** @description What happens at this moment, which the status alone does not tell */
                activities?: ("queued" | "running" | "waiting" | "parked" | "resuming" | "done")[];
                types?: string[];
                /** @description Words that are all in the task: in its id, its labels, its error, or the first 4,096 characters of its params or its result as JSON */
                text?: string;
                labels?: {
                    [key: string]: string;
                };
                /** @description Only the tasks that this task started */
                parentTaskId?: string;
                /** @description Only the reruns of this task */
                rerunOf?: string;
                /** @description An ISO 8601 date, or date and time; no zone means UTC */
                createdFrom?: string;
                /** @description An ISO 8601 date, or date and time; no zone means UTC */
                createdUntil?: string;
                /** @description An ISO 8601 date, or date and time; no zone means UTC */
                finishedFrom?: string;
                /** @description An ISO 8601 date, or date and time; no zone means UTC */
                finishedUntil?: string;
                /** @description Only tasks with an open question that the caller may answer and nobody else took on */
                waitsForMe?: boolean;
                /** @description Items a page. It can have fewer, and a `nextCursor` all the same: where what is asked for is rare, that says how far was looked */
                limit?: number;
                /** @description The `nextCursor` of the page before this one */
                after?: string | null;
                /** @description All but the first two list only tasks that ended, and cannot be had with `text` */
                order?: "newest" | "oldest" | "latest_finished" | "earliest_finished" | "longest" | "shortest";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "taskId": "task_6FkN2vQwXyBt8rLmZpDc4s8w",
                     *           "type": "deploy",
                     *           "status": "waiting_for_input",
                     *           "createdAt": "2026-11-30T17:04:05.000123Z",
                     *           "createdBy": {
                     *             "kind": "agent",
                     *             "id": "key_4Tn8",
                     *             "name": "Release bot",
                     *             "surface": "rest"
                     *           },
                     *           "startedAt": "2026-11-30T17:04:05.000124Z",
                     *           "finishedAt": null,
                     *           "lastSeq": 4,
                     *           "lastEventAt": "2026-11-30T17:04:06.120450Z",
                     *           "attempt": 1,
                     *           "epoch": 1,
                     *           "interrupts": 0,
                     *           "failures": 0,
                     *           "workerId": null,
                     *           "leaseExpiresAt": null,
                     *           "wakeAt": "2026-11-30T17:04:05.000123Z",
                     *           "priority": 0,
                     *           "labels": {
                     *             "team": "core"
                     *           },
                     *           "cancelRequestedAt": null,
                     *           "cancelReason": null,
                     *           "cancelledBy": null,
                     *           "progress": null,
                     *           "openQuestions": 1,
                     *           "parentTaskId": null,
                     *           "rerunOf": null,
                     *           "idempotencyKey": "release-812",
                     *           "requestDigest": null,
                     *           "concurrencyKey": null,
                     *           "holdsKey": false,
                     *           "driverSequence": null,
                     *           "workedSeconds": 1.12,
                     *           "waitedSeconds": 0,
                     *           "clock": null,
                     *           "clockSince": null,
                     *           "errorSummary": null,
                     *           "activity": "waiting"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Task"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Bad Request: `invalid_input` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    tasks_start: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same as `idempotencyKey` in the body: a call that is repeated with it does nothing twice */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "deploy",
                 *       "params": {
                 *         "env": "production"
                 *       },
                 *       "labels": {
                 *         "team": "core"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description A registered task type */
                    type: string;
                    /** @description What the task type's schema asks for */
                    params?: unknown;
                    /** @description A second start with this key, type and params gives the first one's task */
                    idempotencyKey?: string;
                    /** @description Higher runs first; 0 when left out */
                    priority?: number;
                    /** @description Short texts to find the task by */
                    labels?: {
                        [key: string]: string;
                    };
                    /** @description An ISO 8601 timestamp: the task starts no earlier; at once when left out */
                    startAfter?: string;
                };
            };
        };
        responses: {
            /** @description Was started before */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "taskId": "task_6FkN2vQwXyBt8rLmZpDc4s8w",
                     *       "status": "running",
                     *       "created": true
                     *     }
                     */
                    "application/json": {
                        taskId: string;
                        /** @enum {string} */
                        status: "pending" | "running" | "waiting_for_input" | "completed" | "failed" | "cancelled";
                        /** @description false when the idempotency key had started this task before */
                        created: boolean;
                    };
                };
            };
            /** @description Started */
            201: {
                headers: {
                    /** @description Where the task is */
                    Location: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "taskId": "task_6FkN2vQwXyBt8rLmZpDc4s8w",
                     *       "status": "running",
                     *       "created": true
                     *     }
                     */
                    "application/json": {
                        taskId: string;
                        /** @enum {string} */
                        status: "pending" | "running" | "waiting_for_input" | "completed" | "failed" | "cancelled";
                        /** @description false when the idempotency key had started this task before */
                        created: boolean;
                    };
                };
            };
            /** @description Bad Request: `invalid_input`, `unknown_task_type`, `invalid_params`, `not_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Conflict: `idempotency_conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "title": "Conflict",
                     *       "status": 409,
                     *       "detail": "Question q_3HtWm9RkPzVx7nYqLdGb2f was already answered by Ann (dashboard) at 2026-11-30T17:04:31.004200Z. Nothing was changed by this call.",
                     *       "code": "conflict",
                     *       "details": {
                     *         "questionId": "q_3HtWm9RkPzVx7nYqLdGb2f",
                     *         "taskId": "task_6FkN2vQwXyBt8rLmZpDc4s8w",
                     *         "outcome": "answered",
                     *         "answer": "yes"
                     *       }
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Payload Too Large: `too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    tasks_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                taskId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "task": {
                     *         "taskId": "task_6FkN2vQwXyBt8rLmZpDc4s8w",
                     *         "type": "deploy",
                     *         "status": "waiting_for_input",
                     *         "createdAt": "2026-11-30T17:04:05.000123Z",
                     *         "createdBy": {
                     *           "kind": "agent",
                     *           "id": "key_4Tn8",
                     *           "name": "Release bot",
                     *           "surface": "rest"
                     *         },
                     *         "startedAt": "2026-11-30T17:04:05.000124Z",
                     *         "finishedAt": null,
                     *         "lastSeq": 4,
                     *         "lastEventAt": "2026-11-30T17:04:06.120450Z",
                     *         "attempt": 1,
                     *         "epoch": 1,
                     *         "interrupts": 0,
                     *         "failures": 0,
                     *         "workerId": null,
                     *         "leaseExpiresAt": null,
                     *         "wakeAt": "2026-11-30T17:04:05.000123Z",
                     *         "priority": 0,
                     *         "labels": {
                     *           "team": "core"
                     *         },
                     *         "cancelRequestedAt": null,
                     *         "cancelReason": null,
                     *         "cancelledBy": null,
                     *         "progress": null,
                     *         "openQuestions": 1,
                     *         "parentTaskId": null,
                     *         "rerunOf": null,
                     *         "idempotencyKey": "release-812",
                     *         "requestDigest": null,
                     *         "concurrencyKey": null,
                     *         "holdsKey": false,
                     *         "driverSequence": null,
                     *         "workedSeconds": 1.12,
                     *         "waitedSeconds": 0,
                     *         "clock": null,
                     *         "clockSince": null,
                     *         "errorSummary": null,
                     *         "activity": "waiting"
                     *       },
                     *       "workedSeconds": 1.12,
                     *       "waitedSeconds": 9.4,
                     *       "params": {
                     *         "env": "production"
                     *       },
                     *       "result": null,
                     *       "error": null,
                     *       "isTypeKnown": true,
                     *       "cancelGrace": 30,
                     *       "questions": [
                     *         {
                     *           "taskId": "task_6FkN2vQwXyBt8rLmZpDc4s8w",
                     *           "prompt": "Pre-deploy found 2 issues. Proceed anyway?",
                     *           "questionId": "q_3HtWm9RkPzVx7nYqLdGb2f",
                     *           "key": "proceed",
                     *           "timeout": 300,
                     *           "askedAt": "2026-11-30T17:04:06.120450Z",
                     *           "deadline": "2026-11-30T17:09:06.120450Z",
                     *           "choices": [
                     *             {
                     *               "value": "yes",
                     *               "label": "yes"
                     *             },
                     *             {
                     *               "value": "no",
                     *               "label": "no"
                     *             }
                     *           ],
                     *           "multiple": false,
                     *           "schema": null,
                     *           "answerableBy": "anyone",
                     *           "urgency": "normal",
                     *           "secret": false,
                     *           "hasDefault": false,
                     *           "defaultValue": null,
                     *           "context": null,
                     *           "outcome": null,
                     *           "answer": null,
                     *           "answeredAt": null,
                     *           "resolvedAt": null,
                     *           "resolvedBy": null,
                     *           "declineReason": null,
                     *           "defaultUsed": false,
                     *           "firstSeenAt": null,
                     *           "firstSeenBy": null,
                     *           "claimedBy": null,
                     *           "claimedUntil": null,
                     *           "lastSeq": 4,
                     *           "forgotten": false,
                     *           "approval": null,
                     *           "isAnswered": false,
                     *           "isResolved": false,
                     *           "timedOut": false
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        task: components["schemas"]["Task"];
                        /** @description False when no handler of its type is registered: it waits */
                        isTypeKnown: boolean;
                        /** @description Seconds its handler has after a cancel before the task is ended without it */
                        cancelGrace: number;
                        workedSeconds: number;
                        waitedSeconds: number;
                        /** @description Any JSON value */
                        params: unknown;
                        /** @description Any JSON value */
                        result: unknown;
                        error: string | null;
                        questions: components["schemas"]["Question"][];
                    };
                };
            };
            /** @description Bad Request: `invalid_input` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Not Found: `task_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    tasks_poll: {
        parameters: {
            query?: {
                /** @description The `cursor` of an earlier response, or an ISO 8601 timestamp */
                since?: string | null;
                /** @description Seconds to wait for news; more than 60 is read as 60 */
                timeout?: number;
                /** @description `input_or_result` sleeps through updates until a question or the end */
                waitFor?: "news" | "input_or_result";
                /** @description Updates a response */
                limit?: number;
            };
            header?: never;
            path: {
                taskId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "taskId": "task_6FkN2vQwXyBt8rLmZpDc4s8w",
                     *       "status": "waiting_for_input",
                     *       "updates": [
                     *         {
                     *           "taskId": "task_6FkN2vQwXyBt8rLmZpDc4s8w",
                     *           "message": "Found 2 issues",
                     *           "level": "warning",
                     *           "timestamp": "2026-11-30T17:04:06.119000Z",
                     *           "updateId": "u_9PwXc4"
                     *         }
                     *       ],
                     *       "pendingQuestion": {
                     *         "taskId": "task_6FkN2vQwXyBt8rLmZpDc4s8w",
                     *         "prompt": "Pre-deploy found 2 issues. Proceed anyway?",
                     *         "questionId": "q_3HtWm9RkPzVx7nYqLdGb2f",
                     *         "key": "proceed",
                     *         "timeout": 300,
                     *         "askedAt": "2026-11-30T17:04:06.120450Z",
                     *         "deadline": "2026-11-30T17:09:06.120450Z",
                     *         "choices": [
                     *           {
                     *             "value": "yes",
                     *             "label": "yes"
                     *           },
                     *           {
                     *             "value": "no",
                     *             "label": "no"
                     *           }
                     *         ],
                     *         "multiple": false,
                     *         "schema": null,
                     *         "answerableBy": "anyone",
                     *         "urgency": "normal",
                     *         "secret": false,
                     *         "hasDefault": false,
                     *         "defaultValue": null,
                     *         "context": null,
                     *         "outcome": null,
                     *         "answer": null,
                     *         "answeredAt": null,
                     *         "resolvedAt": null,
                     *         "resolvedBy": null,
                     *         "declineReason": null,
                     *         "defaultUsed": false,
                     *         "firstSeenAt": null,
                     *         "firstSeenBy": null,
                     *         "claimedBy": null,
                     *         "claimedUntil": null,
                     *         "lastSeq": 4,
                     *         "forgotten": false,
                     *         "approval": null,
                     *         "isAnswered": false,
                     *         "isResolved": false,
                     *         "timedOut": false
                     *       },
                     *       "pendingQuestions": [
                     *         {
                     *           "taskId": "task_6FkN2vQwXyBt8rLmZpDc4s8w",
                     *           "prompt": "Pre-deploy found 2 issues. Proceed anyway?",
                     *           "questionId": "q_3HtWm9RkPzVx7nYqLdGb2f",
                     *           "key": "proceed",
                     *           "timeout": 300,
                     *           "askedAt": "2026-11-30T17:04:06.120450Z",
                     *           "deadline": "2026-11-30T17:09:06.120450Z",
                     *           "choices": [
                     *             {
                     *               "value": "yes",
                     *               "label": "yes"
                     *             },
                     *             {
                     *               "value": "no",
                     *               "label": "no"
                     *             }
                     *           ],
                     *           "multiple": false,
                     *           "schema": null,
                     *           "answerableBy": "anyone",
                     *           "urgency": "normal",
                     *           "secret": false,
                     *           "hasDefault": false,
                     *           "defaultValue": null,
                     *           "context": null,
                     *           "outcome": null,
                     *           "answer": null,
                     *           "answeredAt": null,
                     *           "resolvedAt": null,
                     *           "resolvedBy": null,
                     *           "declineReason": null,
                     *           "defaultUsed": false,
                     *           "firstSeenAt": null,
                     *           "firstSeenBy": null,
                     *           "claimedBy": null,
                     *           "claimedUntil": null,
                     *           "lastSeq": 4,
                     *           "forgotten": false,
                     *           "approval": null,
                     *           "isAnswered": false,
                     *           "isResolved": false,
                     *           "timedOut": false
                     *         }
                     *       ],
                     *       "result": null,
                     *       "cursor": "c_4_ZpDc4s8w",
                     *       "hasMore": false,
                     *       "progress": null,
                     *       "cancelRequested": false,
                     *       "notice": null
                     *     }
                     */
                    "application/json": {
                        taskId: string;
                        /** @enum {string} */
                        status: "pending" | "running" | "waiting_for_input" | "completed" | "failed" | "cancelled";
                        updates: {
                            taskId: string;
                            message: string;
                            /** @enum {string} */
                            level: "debug" | "info" | "warning" | "error";
                            /** @description UTC with six decimals, for example 2026-11-30T17:04:05.000123Z */
                            timestamp: string;
                            updateId: string;
                        }[];
                        pendingQuestion: components["schemas"]["Question"] | null;
                        pendingQuestions: components["schemas"]["Question"][];
                        result: {
                            taskId: string;
                            /** @enum {string} */
                            status: "completed" | "failed" | "cancelled";
                            /** @description Any JSON value */
                            result: unknown;
                            error: string | null;
                            /** @description UTC with six decimals, for example 2026-11-30T17:04:05.000123Z */
                            completedAt: string;
                        } | null;
                        /** @description Pass it as the next `since` */
                        cursor: string;
                        /** @description Poll again at once with `cursor` */
                        hasMore: boolean;
                        progress: components["schemas"]["Progress"] | null;
                        cancelRequested: boolean;
                        notice: string | null;
                    };
                };
            };
            /** @description Bad Request: `invalid_input`, `invalid_cursor` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Not Found: `task_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    tasks_events: {
        parameters: {
            query?: {
                /** @description Only events after this `seq`; `Last-Event-ID` counts instead where it is sent */
                afterSeq?: number;
            };
            header?: {
                /** @description The id of the last event that was read; the stream goes on after it */
                "Last-Event-ID"?: string;
            };
            path: {
                taskId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example id: 3
                     *     data: {"seq":3,"kind":"update","level":"warning","message":"Found 2 issues","taskId":"task_6FkN2vQwXyBt8rLmZpDc4s8w"}
                     *
                     *     id: 4
                     *     data: {"seq":4,"kind":"question_opened","questionId":"q_3HtWm9RkPzVx7nYqLdGb2f","prompt":"Pre-deploy found 2 issues. Proceed anyway?","taskId":"task_6FkN2vQwXyBt8rLmZpDc4s8w"}
                     */
                    "text/event-stream": string;
                };
            };
            /** @description The task has ended, and all of it was told */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request: `invalid_input` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Not Found: `task_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    tasks_timeline: {
        parameters: {
            query?: {
                format?: "json" | "text";
            };
            header?: never;
            path: {
                taskId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {"task":{"taskId":"task_6FkN2vQwXyBt8rLmZpDc4s8w"},"events":[
                     *     {"seq":1,"kind":"task_created"}
                     *     ]}
                     */
                    "application/json": string;
                    "text/plain": string;
                };
            };
            /** @description Bad Request: `invalid_input` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Not Found: `task_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    tasks_rerun: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same as `idempotencyKey` in the body: a call that is repeated with it does nothing twice */
                "Idempotency-Key"?: string;
            };
            path: {
                taskId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "params": {
                 *         "env": "staging"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description Other parameters; the same ones when left out */
                    params?: unknown;
                    /** @description A second start with this key, type and params gives the first one's task */
                    idempotencyKey?: string;
                };
            };
        };
        responses: {
            /** @description Was started before */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "taskId": "task_2BvYq8NcKwTz5hRmXsJd7g",
                     *       "status": "running",
                     *       "created": true
                     *     }
                     */
                    "application/json": {
                        taskId: string;
                        /** @enum {string} */
                        status: "pending" | "running" | "waiting_for_input" | "completed" | "failed" | "cancelled";
                        /** @description false when the idempotency key had started this task before */
                        created: boolean;
                    };
                };
            };
            /** @description Started */
            201: {
                headers: {
                    /** @description Where the task is */
                    Location: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "taskId": "task_2BvYq8NcKwTz5hRmXsJd7g",
                     *       "status": "running",
                     *       "created": true
                     *     }
                     */
                    "application/json": {
                        taskId: string;
                        /** @enum {string} */
                        status: "pending" | "running" | "waiting_for_input" | "completed" | "failed" | "cancelled";
                        /** @description false when the idempotency key had started this task before */
                        created: boolean;
                    };
                };
            };
            /** @description Bad Request: `invalid_input`, `invalid_params`, `unknown_task_type`, `not_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Not Found: `task_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `conflict`, `idempotency_conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "title": "Conflict",
                     *       "status": 409,
                     *       "detail": "Question q_3HtWm9RkPzVx7nYqLdGb2f was already answered by Ann (dashboard) at 2026-11-30T17:04:31.004200Z. Nothing was changed by this call.",
                     *       "code": "conflict",
                     *       "details": {
                     *         "questionId": "q_3HtWm9RkPzVx7nYqLdGb2f",
                     *         "taskId": "task_6FkN2vQwXyBt8rLmZpDc4s8w",
                     *         "outcome": "answered",
                     *         "answer": "yes"
                     *       }
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Payload Too Large: `too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    tasks_cancel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                taskId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "The release was withdrawn"
                 *     }
                 */
                "application/json": {
                    reason?: string | null;
                    /** @description End the task at once, without its clean-up */
                    force?: boolean;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "cancelled": true,
                     *       "status": "waiting_for_input"
                     *     }
                     */
                    "application/json": {
                        cancelled: boolean;
                        /** @enum {string} */
                        status: "pending" | "running" | "waiting_for_input" | "completed" | "failed" | "cancelled";
                    };
                };
            };
            /** @description Bad Request: `invalid_input`, `not_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Not Found: `task_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Payload Too Large: `too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    questions_list: {
        parameters: {
            query?: {
                state?: "open" | "resolved";
                taskId?: string;
                /** @description Items a page */
                limit?: number;
                /** @description The `nextCursor` of the page before this one */
                after?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "taskId": "task_6FkN2vQwXyBt8rLmZpDc4s8w",
                     *           "prompt": "Pre-deploy found 2 issues. Proceed anyway?",
                     *           "questionId": "q_3HtWm9RkPzVx7nYqLdGb2f",
                     *           "key": "proceed",
                     *           "timeout": 300,
                     *           "askedAt": "2026-11-30T17:04:06.120450Z",
                     *           "deadline": "2026-11-30T17:09:06.120450Z",
                     *           "choices": [
                     *             {
                     *               "value": "yes",
                     *               "label": "yes"
                     *             },
                     *             {
                     *               "value": "no",
                     *               "label": "no"
                     *             }
                     *           ],
                     *           "multiple": false,
                     *           "schema": null,
                     *           "answerableBy": "anyone",
                     *           "urgency": "normal",
                     *           "secret": false,
                     *           "hasDefault": false,
                     *           "defaultValue": null,
                     *           "context": null,
                     *           "outcome": null,
                     *           "answer": null,
                     *           "answeredAt": null,
                     *           "resolvedAt": null,
                     *           "resolvedBy": null,
                     *           "declineReason": null,
                     *           "defaultUsed": false,
                     *           "firstSeenAt": null,
                     *           "firstSeenBy": null,
                     *           "claimedBy": null,
                     *           "claimedUntil": null,
                     *           "lastSeq": 4,
                     *           "forgotten": false,
                     *           "approval": null,
                     *           "isAnswered": false,
                     *           "isResolved": false,
                     *           "timedOut": false,
                     *           "taskType": "deploy",
                     *           "taskStatus": "waiting_for_input",
                     *           "tasksBehind": 0
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        items: {
                            questionId: string;
                            taskId: string;
                            key: string;
                            prompt: string;
                            /** @description Seconds from askedAt to deadline */
                            timeout: number;
                            /** @description UTC with six decimals, for example 2026-11-30T17:04:05.000123Z */
                            askedAt: string;
                            /** @description UTC with six decimals, for example 2026-11-30T17:04:05.000123Z */
                            deadline: string;
                            choices: {
                                value: string;
                                label: string;
                                description?: string;
                            }[] | null;
                            /** @description The answer is a list of choices */
                            multiple: boolean;
                            /** @description JSON Schema the answer must fit */
                            schema: {
                                [key: string]: unknown;
                            } | null;
                            /** @enum {string} */
                            answerableBy: "anyone" | "operator";
                            /**
                             * @description How much it presses
                             * @enum {string}
                             */
                            urgency: "low" | "normal" | "high";
                            /** @description The answer is a secret: it reads ••• everywhere */
                            secret: boolean;
                            hasDefault: boolean;
                            /** @description Any JSON value */
                            defaultValue: unknown;
                            /** @description Any JSON value */
                            context: unknown;
                            /** @description null while the question is open */
                            outcome: ("answered" | "declined" | "timed_out" | "cancelled") | null;
                            /** @description Any JSON value */
                            answer: unknown;
                            answeredAt: string | null;
                            resolvedAt: string | null;
                            resolvedBy: components["schemas"]["Actor"] | null;
                            declineReason: string | null;
                            defaultUsed: boolean;
                            firstSeenAt: string | null;
                            firstSeenBy: components["schemas"]["Actor"] | null;
                            /** @description Who is seeing to it; it holds nobody else off */
                            claimedBy: components["schemas"]["Actor"] | null;
                            claimedUntil: string | null;
                            /** @description seq of the event that changed it last */
                            lastSeq: number;
                            forgotten: boolean;
                            /** @description Set where an action is to be approved */
                            approval: components["schemas"]["Approval"] | null;
                            isAnswered: boolean;
                            isResolved: boolean;
                            timedOut: boolean;
                            taskType: string;
                            /** @enum {string} */
                            taskStatus: "pending" | "running" | "waiting_for_input" | "completed" | "failed" | "cancelled";
                            /** @description How many tasks cannot go on before this one does */
                            tasksBehind: number;
                        }[];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Bad Request: `invalid_input` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    questions_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                questionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "taskId": "task_6FkN2vQwXyBt8rLmZpDc4s8w",
                     *       "prompt": "Pre-deploy found 2 issues. Proceed anyway?",
                     *       "questionId": "q_3HtWm9RkPzVx7nYqLdGb2f",
                     *       "key": "proceed",
                     *       "timeout": 300,
                     *       "askedAt": "2026-11-30T17:04:06.120450Z",
                     *       "deadline": "2026-11-30T17:09:06.120450Z",
                     *       "choices": [
                     *         {
                     *           "value": "yes",
                     *           "label": "yes"
                     *         },
                     *         {
                     *           "value": "no",
                     *           "label": "no"
                     *         }
                     *       ],
                     *       "multiple": false,
                     *       "schema": null,
                     *       "answerableBy": "anyone",
                     *       "urgency": "normal",
                     *       "secret": false,
                     *       "hasDefault": false,
                     *       "defaultValue": null,
                     *       "context": null,
                     *       "outcome": null,
                     *       "answer": null,
                     *       "answeredAt": null,
                     *       "resolvedAt": null,
                     *       "resolvedBy": null,
                     *       "declineReason": null,
                     *       "defaultUsed": false,
                     *       "firstSeenAt": null,
                     *       "firstSeenBy": null,
                     *       "claimedBy": null,
                     *       "claimedUntil": null,
                     *       "lastSeq": 4,
                     *       "forgotten": false,
                     *       "approval": null,
                     *       "isAnswered": false,
                     *       "isResolved": false,
                     *       "timedOut": false
                     *     }
                     */
                    "application/json": components["schemas"]["Question"];
                };
            };
            /** @description Bad Request: `invalid_input` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Not Found: `task_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    questions_answer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                questionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "answer": "yes"
                 *     }
                 */
                "application/json": {
                    /** @description Text, one of the choices, a list of them, or what the schema asks for */
                    answer: unknown;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "question": {
                     *         "taskId": "task_6FkN2vQwXyBt8rLmZpDc4s8w",
                     *         "prompt": "Pre-deploy found 2 issues. Proceed anyway?",
                     *         "questionId": "q_3HtWm9RkPzVx7nYqLdGb2f",
                     *         "key": "proceed",
                     *         "timeout": 300,
                     *         "askedAt": "2026-11-30T17:04:06.120450Z",
                     *         "deadline": "2026-11-30T17:09:06.120450Z",
                     *         "choices": [
                     *           {
                     *             "value": "yes",
                     *             "label": "yes"
                     *           },
                     *           {
                     *             "value": "no",
                     *             "label": "no"
                     *           }
                     *         ],
                     *         "multiple": false,
                     *         "schema": null,
                     *         "answerableBy": "anyone",
                     *         "urgency": "normal",
                     *         "secret": false,
                     *         "hasDefault": false,
                     *         "defaultValue": null,
                     *         "context": null,
                     *         "outcome": "answered",
                     *         "answer": "yes",
                     *         "answeredAt": "2026-11-30T17:04:31.004200Z",
                     *         "resolvedAt": "2026-11-30T17:04:31.004200Z",
                     *         "resolvedBy": {
                     *           "kind": "operator",
                     *           "id": "user_7Kd2",
                     *           "name": "Ann",
                     *           "surface": "dashboard"
                     *         },
                     *         "declineReason": null,
                     *         "defaultUsed": false,
                     *         "firstSeenAt": null,
                     *         "firstSeenBy": null,
                     *         "claimedBy": null,
                     *         "claimedUntil": null,
                     *         "lastSeq": 5,
                     *         "forgotten": false,
                     *         "approval": null,
                     *         "isAnswered": true,
                     *         "isResolved": true,
                     *         "timedOut": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        question: components["schemas"]["Question"];
                    };
                };
            };
            /** @description Bad Request: `invalid_input`, `invalid_answer`, `not_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Not Found: `task_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `conflict`, `grant_refused` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "title": "Conflict",
                     *       "status": 409,
                     *       "detail": "Question q_3HtWm9RkPzVx7nYqLdGb2f was already answered by Ann (dashboard) at 2026-11-30T17:04:31.004200Z. Nothing was changed by this call.",
                     *       "code": "conflict",
                     *       "details": {
                     *         "questionId": "q_3HtWm9RkPzVx7nYqLdGb2f",
                     *         "taskId": "task_6FkN2vQwXyBt8rLmZpDc4s8w",
                     *         "outcome": "answered",
                     *         "answer": "yes"
                     *       }
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Payload Too Large: `too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    questions_answerMany: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "answers": [
                 *         {
                 *           "questionId": "q_3HtWm9RkPzVx7nYqLdGb2f",
                 *           "answer": "yes"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description Approvals and secrets are not taken this way */
                    answers: {
                        questionId: string;
                        /** @description Text, one of the choices, a list of them, or what the schema asks for */
                        answer: unknown;
                    }[];
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "questionId": "q_3HtWm9RkPzVx7nYqLdGb2f",
                     *           "result": "answered",
                     *           "question": {
                     *             "taskId": "task_6FkN2vQwXyBt8rLmZpDc4s8w",
                     *             "prompt": "Pre-deploy found 2 issues. Proceed anyway?",
                     *             "questionId": "q_3HtWm9RkPzVx7nYqLdGb2f",
                     *             "key": "proceed",
                     *             "timeout": 300,
                     *             "askedAt": "2026-11-30T17:04:06.120450Z",
                     *             "deadline": "2026-11-30T17:09:06.120450Z",
                     *             "choices": [
                     *               {
                     *                 "value": "yes",
                     *                 "label": "yes"
                     *               },
                     *               {
                     *                 "value": "no",
                     *                 "label": "no"
                     *               }
                     *             ],
                     *             "multiple": false,
                     *             "schema": null,
                     *             "answerableBy": "anyone",
                     *             "urgency": "normal",
                     *             "secret": false,
                     *             "hasDefault": false,
                     *             "defaultValue": null,
                     *             "context": null,
                     *             "outcome": "answered",
                     *             "answer": "yes",
                     *             "answeredAt": "2026-11-30T17:04:31.004200Z",
                     *             "resolvedAt": "2026-11-30T17:04:31.004200Z",
                     *             "resolvedBy": {
                     *               "kind": "operator",
                     *               "id": "user_7Kd2",
                     *               "name": "Ann",
                     *               "surface": "dashboard"
                     *             },
                     *             "declineReason": null,
                     *             "defaultUsed": false,
                     *             "firstSeenAt": null,
                     *             "firstSeenBy": null,
                     *             "claimedBy": null,
                     *             "claimedUntil": null,
                     *             "lastSeq": 5,
                     *             "forgotten": false,
                     *             "approval": null,
                     *             "isAnswered": true,
                     *             "isResolved": true,
                     *             "timedOut": false
                     *           },
                     *           "error": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        results: {
                            questionId: string;
                            /**
                             * @description closed: somebody or the deadline was first; refused: see error
                             * @enum {string}
                             */
                            result: "answered" | "closed" | "refused";
                            question: components["schemas"]["Question"] | null;
                            error: {
                                code: string;
                                message: string;
                                details: {
                                    [key: string]: unknown;
                                };
                            } | null;
                        }[];
                    };
                };
            };
            /** @description Bad Request: `invalid_input`, `not_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Payload Too Large: `too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    questions_decline: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                questionId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "Not on a Friday"
                 *     }
                 */
                "application/json": {
                    reason?: string | null;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "question": {
                     *         "taskId": "task_6FkN2vQwXyBt8rLmZpDc4s8w",
                     *         "prompt": "Pre-deploy found 2 issues. Proceed anyway?",
                     *         "questionId": "q_3HtWm9RkPzVx7nYqLdGb2f",
                     *         "key": "proceed",
                     *         "timeout": 300,
                     *         "askedAt": "2026-11-30T17:04:06.120450Z",
                     *         "deadline": "2026-11-30T17:09:06.120450Z",
                     *         "choices": [
                     *           {
                     *             "value": "yes",
                     *             "label": "yes"
                     *           },
                     *           {
                     *             "value": "no",
                     *             "label": "no"
                     *           }
                     *         ],
                     *         "multiple": false,
                     *         "schema": null,
                     *         "answerableBy": "anyone",
                     *         "urgency": "normal",
                     *         "secret": false,
                     *         "hasDefault": false,
                     *         "defaultValue": null,
                     *         "context": null,
                     *         "outcome": "declined",
                     *         "answer": null,
                     *         "answeredAt": null,
                     *         "resolvedAt": "2026-11-30T17:04:31.004200Z",
                     *         "resolvedBy": {
                     *           "kind": "operator",
                     *           "id": "user_7Kd2",
                     *           "name": "Ann",
                     *           "surface": "dashboard"
                     *         },
                     *         "declineReason": "Not on a Friday",
                     *         "defaultUsed": false,
                     *         "firstSeenAt": null,
                     *         "firstSeenBy": null,
                     *         "claimedBy": null,
                     *         "claimedUntil": null,
                     *         "lastSeq": 5,
                     *         "forgotten": false,
                     *         "approval": null,
                     *         "isAnswered": false,
                     *         "isResolved": true,
                     *         "timedOut": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        question: components["schemas"]["Question"];
                    };
                };
            };
            /** @description Bad Request: `invalid_input`, `not_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Not Found: `task_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "title": "Conflict",
                     *       "status": 409,
                     *       "detail": "Question q_3HtWm9RkPzVx7nYqLdGb2f was already answered by Ann (dashboard) at 2026-11-30T17:04:31.004200Z. Nothing was changed by this call.",
                     *       "code": "conflict",
                     *       "details": {
                     *         "questionId": "q_3HtWm9RkPzVx7nYqLdGb2f",
                     *         "taskId": "task_6FkN2vQwXyBt8rLmZpDc4s8w",
                     *         "outcome": "answered",
                     *         "answer": "yes"
                     *       }
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Payload Too Large: `too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    questions_claim: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                questionId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": {
                    /**
                     * @description Also when somebody else is on it
                     * @default false
                     */
                    takeOver?: boolean;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "question": {
                     *         "taskId": "task_6FkN2vQwXyBt8rLmZpDc4s8w",
                     *         "prompt": "Pre-deploy found 2 issues. Proceed anyway?",
                     *         "questionId": "q_3HtWm9RkPzVx7nYqLdGb2f",
                     *         "key": "proceed",
                     *         "timeout": 300,
                     *         "askedAt": "2026-11-30T17:04:06.120450Z",
                     *         "deadline": "2026-11-30T17:09:06.120450Z",
                     *         "choices": [
                     *           {
                     *             "value": "yes",
                     *             "label": "yes"
                     *           },
                     *           {
                     *             "value": "no",
                     *             "label": "no"
                     *           }
                     *         ],
                     *         "multiple": false,
                     *         "schema": null,
                     *         "answerableBy": "anyone",
                     *         "urgency": "normal",
                     *         "secret": false,
                     *         "hasDefault": false,
                     *         "defaultValue": null,
                     *         "context": null,
                     *         "outcome": null,
                     *         "answer": null,
                     *         "answeredAt": null,
                     *         "resolvedAt": null,
                     *         "resolvedBy": null,
                     *         "declineReason": null,
                     *         "defaultUsed": false,
                     *         "firstSeenAt": null,
                     *         "firstSeenBy": null,
                     *         "claimedBy": {
                     *           "kind": "operator",
                     *           "id": "user_7Kd2",
                     *           "name": "Ann",
                     *           "surface": "dashboard"
                     *         },
                     *         "claimedUntil": "2026-11-30T17:14:11.500000Z",
                     *         "lastSeq": 5,
                     *         "forgotten": false,
                     *         "approval": null,
                     *         "isAnswered": false,
                     *         "isResolved": false,
                     *         "timedOut": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        question: components["schemas"]["Question"];
                    };
                };
            };
            /** @description Bad Request: `invalid_input`, `not_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Not Found: `task_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "title": "Conflict",
                     *       "status": 409,
                     *       "detail": "Question q_3HtWm9RkPzVx7nYqLdGb2f was already answered by Ann (dashboard) at 2026-11-30T17:04:31.004200Z. Nothing was changed by this call.",
                     *       "code": "conflict",
                     *       "details": {
                     *         "questionId": "q_3HtWm9RkPzVx7nYqLdGb2f",
                     *         "taskId": "task_6FkN2vQwXyBt8rLmZpDc4s8w",
                     *         "outcome": "answered",
                     *         "answer": "yes"
                     *       }
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Payload Too Large: `too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    questions_release: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                questionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "question": {
                     *         "taskId": "task_6FkN2vQwXyBt8rLmZpDc4s8w",
                     *         "prompt": "Pre-deploy found 2 issues. Proceed anyway?",
                     *         "questionId": "q_3HtWm9RkPzVx7nYqLdGb2f",
                     *         "key": "proceed",
                     *         "timeout": 300,
                     *         "askedAt": "2026-11-30T17:04:06.120450Z",
                     *         "deadline": "2026-11-30T17:09:06.120450Z",
                     *         "choices": [
                     *           {
                     *             "value": "yes",
                     *             "label": "yes"
                     *           },
                     *           {
                     *             "value": "no",
                     *             "label": "no"
                     *           }
                     *         ],
                     *         "multiple": false,
                     *         "schema": null,
                     *         "answerableBy": "anyone",
                     *         "urgency": "normal",
                     *         "secret": false,
                     *         "hasDefault": false,
                     *         "defaultValue": null,
                     *         "context": null,
                     *         "outcome": null,
                     *         "answer": null,
                     *         "answeredAt": null,
                     *         "resolvedAt": null,
                     *         "resolvedBy": null,
                     *         "declineReason": null,
                     *         "defaultUsed": false,
                     *         "firstSeenAt": null,
                     *         "firstSeenBy": null,
                     *         "claimedBy": null,
                     *         "claimedUntil": null,
                     *         "lastSeq": 4,
                     *         "forgotten": false,
                     *         "approval": null,
                     *         "isAnswered": false,
                     *         "isResolved": false,
                     *         "timedOut": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        question: components["schemas"]["Question"];
                    };
                };
            };
            /** @description Bad Request: `invalid_input` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Not Found: `task_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "title": "Conflict",
                     *       "status": 409,
                     *       "detail": "Question q_3HtWm9RkPzVx7nYqLdGb2f was already answered by Ann (dashboard) at 2026-11-30T17:04:31.004200Z. Nothing was changed by this call.",
                     *       "code": "conflict",
                     *       "details": {
                     *         "questionId": "q_3HtWm9RkPzVx7nYqLdGb2f",
                     *         "taskId": "task_6FkN2vQwXyBt8rLmZpDc4s8w",
                     *         "outcome": "answered",
                     *         "answer": "yes"
                     *       }
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    audit_list: {
        parameters: {
            query?: {
                /** @description Somebody's id, or a part of their name */
                actor?: string;
                /** @description One of these */
                action?: ("task.started" | "task.rerun" | "task.cancelled" | "question.answered" | "question.declined" | "question.seen" | "question.claimed" | "question.released" | "question.refused" | "approval.given" | "identity.signed_in" | "identity.sign_in_failed" | "identity.signed_out" | "identity.sessions_ended" | "identity.password_changed" | "identity.set_up" | "identity.invite_made" | "identity.invite_withdrawn" | "identity.invite_accepted" | "identity.person_changed" | "identity.person_entered" | "identity.sign_on_connected" | "identity.sign_on_disconnected" | "identity.passkey_added" | "identity.passkey_renamed" | "identity.passkey_removed" | "identity.key_made" | "identity.key_revoked" | "identity.key_refused" | "identity.attempts_blocked" | "identity.type_rule_changed" | "audit.exported")[];
                taskId?: string;
                /** @description An ISO 8601 date, or date and time; no zone means UTC */
                from?: string;
                /** @description An ISO 8601 date, or date and time; no zone means UTC */
                until?: string;
                /** @description Items a page */
                limit?: number;
                /** @description The `nextCursor` of the page before this one */
                after?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "auditId": 4711,
                     *           "at": "2026-11-30T17:04:31.004200Z",
                     *           "action": "question.answered",
                     *           "actor": {
                     *             "kind": "operator",
                     *             "id": "user_7Kd2",
                     *             "name": "Ann"
                     *           },
                     *           "keyOwnerId": null,
                     *           "surface": "dashboard",
                     *           "address": "192.0.2.7",
                     *           "taskId": "task_6FkN2vQwXyBt8rLmZpDc4s8w",
                     *           "taskType": "deploy",
                     *           "questionId": "q_3HtWm9RkPzVx7nYqLdGb2f",
                     *           "details": {
                     *             "prompt": "Pre-deploy found 2 issues. Proceed anyway?",
                     *             "answer": "yes"
                     *           }
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["AuditEntry"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Bad Request: `invalid_input` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    audit_export: {
        parameters: {
            query?: {
                format?: "jsonl" | "csv";
                /** @description Somebody's id, or a part of their name */
                actor?: string;
                /** @description One of these */
                action?: ("task.started" | "task.rerun" | "task.cancelled" | "question.answered" | "question.declined" | "question.seen" | "question.claimed" | "question.released" | "question.refused" | "approval.given" | "identity.signed_in" | "identity.sign_in_failed" | "identity.signed_out" | "identity.sessions_ended" | "identity.password_changed" | "identity.set_up" | "identity.invite_made" | "identity.invite_withdrawn" | "identity.invite_accepted" | "identity.person_changed" | "identity.person_entered" | "identity.sign_on_connected" | "identity.sign_on_disconnected" | "identity.passkey_added" | "identity.passkey_renamed" | "identity.passkey_removed" | "identity.key_made" | "identity.key_revoked" | "identity.key_refused" | "identity.attempts_blocked" | "identity.type_rule_changed" | "audit.exported")[];
                taskId?: string;
                /** @description An ISO 8601 date, or date and time; no zone means UTC */
                from?: string;
                /** @description An ISO 8601 date, or date and time; no zone means UTC */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example {"auditId":4711,"at":"2026-11-30T17:04:31.004200Z","action":"question.answered","taskId":"task_6FkN2vQwXyBt8rLmZpDc4s8w"} */
                    "application/x-ndjson": string;
                    "text/csv": string;
                };
            };
            /** @description Bad Request: `invalid_input` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    drive_start: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same as `idempotencyKey` in the body: a call that is repeated with it does nothing twice */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "ci/deploy",
                 *       "driverId": "ci-812",
                 *       "params": {
                 *         "commit": "4f1a2c"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description A name of your own, which no handler is registered under */
                    type: string;
                    /** @description An object, to be shown */
                    params?: unknown;
                    /** @description Made by the server when left out */
                    driverId?: string;
                    /** @description Seconds from now after which the task fails if no other call comes; 60 */
                    leaseSeconds?: number;
                    /** @description A second start with this key, type and params gives the first one's task */
                    idempotencyKey?: string;
                    priority?: number;
                    /** @description Short texts to find the task by */
                    labels?: {
                        [key: string]: string;
                    };
                };
            };
        };
        responses: {
            /** @description Was started before */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "taskId": "task_6FkN2vQwXyBt8rLmZpDc4s8w",
                     *       "status": "running",
                     *       "cancelRequested": false,
                     *       "cancelReason": null,
                     *       "leaseExpiresAt": "2026-11-30T17:05:05.000123Z",
                     *       "driverId": "ci-812",
                     *       "created": true
                     *     }
                     */
                    "application/json": {
                        taskId: string;
                        /** @enum {string} */
                        status: "pending" | "running" | "waiting_for_input" | "completed" | "failed" | "cancelled";
                        /** @description Stop now, and finish with `cancelled` */
                        cancelRequested: boolean;
                        cancelReason: string | null;
                        /** @description When the task ends unless another call comes */
                        leaseExpiresAt: string | null;
                        /** @description Send it with every later call */
                        driverId: string;
                        /** @description false when the idempotency key had started this task before */
                        created: boolean;
                    };
                };
            };
            /** @description Started */
            201: {
                headers: {
                    /** @description Where the task is */
                    Location: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "taskId": "task_6FkN2vQwXyBt8rLmZpDc4s8w",
                     *       "status": "running",
                     *       "cancelRequested": false,
                     *       "cancelReason": null,
                     *       "leaseExpiresAt": "2026-11-30T17:05:05.000123Z",
                     *       "driverId": "ci-812",
                     *       "created": true
                     *     }
                     */
                    "application/json": {
                        taskId: string;
                        /** @enum {string} */
                        status: "pending" | "running" | "waiting_for_input" | "completed" | "failed" | "cancelled";
                        /** @description Stop now, and finish with `cancelled` */
                        cancelRequested: boolean;
                        cancelReason: string | null;
                        /** @description When the task ends unless another call comes */
                        leaseExpiresAt: string | null;
                        /** @description Send it with every later call */
                        driverId: string;
                        /** @description false when the idempotency key had started this task before */
                        created: boolean;
                    };
                };
            };
            /** @description Bad Request: `invalid_input`, `invalid_params`, `not_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Conflict: `conflict`, `idempotency_conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "title": "Conflict",
                     *       "status": 409,
                     *       "detail": "Question q_3HtWm9RkPzVx7nYqLdGb2f was already answered by Ann (dashboard) at 2026-11-30T17:04:31.004200Z. Nothing was changed by this call.",
                     *       "code": "conflict",
                     *       "details": {
                     *         "questionId": "q_3HtWm9RkPzVx7nYqLdGb2f",
                     *         "taskId": "task_6FkN2vQwXyBt8rLmZpDc4s8w",
                     *         "outcome": "answered",
                     *         "answer": "yes"
                     *       }
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Payload Too Large: `too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    drive_heartbeat: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                taskId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "driverId": "ci-812"
                 *     }
                 */
                "application/json": {
                    /** @description Names the program that drives the task: another one is refused */
                    driverId: string;
                    /** @description Seconds from now after which the task fails if no other call comes; 60 */
                    leaseSeconds?: number;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "taskId": "task_6FkN2vQwXyBt8rLmZpDc4s8w",
                     *       "status": "running",
                     *       "cancelRequested": false,
                     *       "cancelReason": null,
                     *       "leaseExpiresAt": "2026-11-30T17:05:05.000123Z"
                     *     }
                     */
                    "application/json": components["schemas"]["DriverState"];
                };
            };
            /** @description Bad Request: `invalid_input`, `not_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Not Found: `task_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `conflict`, `lease_lost` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "title": "Conflict",
                     *       "status": 409,
                     *       "detail": "Question q_3HtWm9RkPzVx7nYqLdGb2f was already answered by Ann (dashboard) at 2026-11-30T17:04:31.004200Z. Nothing was changed by this call.",
                     *       "code": "conflict",
                     *       "details": {
                     *         "questionId": "q_3HtWm9RkPzVx7nYqLdGb2f",
                     *         "taskId": "task_6FkN2vQwXyBt8rLmZpDc4s8w",
                     *         "outcome": "answered",
                     *         "answer": "yes"
                     *       }
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Payload Too Large: `too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    drive_update: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                taskId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "driverId": "ci-812",
                 *       "message": "Uploaded 3 artefacts",
                 *       "sequence": 1
                 *     }
                 */
                "application/json": {
                    /** @description Names the program that drives the task: another one is refused */
                    driverId: string;
                    /** @description Seconds from now after which the task fails if no other call comes; 60 */
                    leaseSeconds?: number;
                    message: string;
                    /**
                     * @default info
                     * @enum {string}
                     */
                    level?: "debug" | "info" | "warning" | "error";
                    /** @description 1, 2, 3 … for each update: one that is repeated with its number is posted once */
                    sequence?: number;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "taskId": "task_6FkN2vQwXyBt8rLmZpDc4s8w",
                     *       "status": "running",
                     *       "cancelRequested": false,
                     *       "cancelReason": null,
                     *       "leaseExpiresAt": "2026-11-30T17:05:05.000123Z"
                     *     }
                     */
                    "application/json": components["schemas"]["DriverState"];
                };
            };
            /** @description Bad Request: `invalid_input`, `not_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Not Found: `task_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `conflict`, `lease_lost` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "title": "Conflict",
                     *       "status": 409,
                     *       "detail": "Question q_3HtWm9RkPzVx7nYqLdGb2f was already answered by Ann (dashboard) at 2026-11-30T17:04:31.004200Z. Nothing was changed by this call.",
                     *       "code": "conflict",
                     *       "details": {
                     *         "questionId": "q_3HtWm9RkPzVx7nYqLdGb2f",
                     *         "taskId": "task_6FkN2vQwXyBt8rLmZpDc4s8w",
                     *         "outcome": "answered",
                     *         "answer": "yes"
                     *       }
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Payload Too Large: `too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    drive_progress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                taskId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "driverId": "ci-812",
                 *       "done": 3,
                 *       "total": 8
                 *     }
                 */
                "application/json": {
                    /** @description Names the program that drives the task: another one is refused */
                    driverId: string;
                    /** @description Seconds from now after which the task fails if no other call comes; 60 */
                    leaseSeconds?: number;
                    done: number;
                    total?: number | null;
                    /** @description Posted as an update when it changes */
                    message?: string | null;
                    unit?: string;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "taskId": "task_6FkN2vQwXyBt8rLmZpDc4s8w",
                     *       "status": "running",
                     *       "cancelRequested": false,
                     *       "cancelReason": null,
                     *       "leaseExpiresAt": "2026-11-30T17:05:05.000123Z"
                     *     }
                     */
                    "application/json": components["schemas"]["DriverState"];
                };
            };
            /** @description Bad Request: `invalid_input`, `not_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Not Found: `task_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `conflict`, `lease_lost` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "title": "Conflict",
                     *       "status": 409,
                     *       "detail": "Question q_3HtWm9RkPzVx7nYqLdGb2f was already answered by Ann (dashboard) at 2026-11-30T17:04:31.004200Z. Nothing was changed by this call.",
                     *       "code": "conflict",
                     *       "details": {
                     *         "questionId": "q_3HtWm9RkPzVx7nYqLdGb2f",
                     *         "taskId": "task_6FkN2vQwXyBt8rLmZpDc4s8w",
                     *         "outcome": "answered",
                     *         "answer": "yes"
                     *       }
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Payload Too Large: `too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    drive_ask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                taskId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "driverId": "ci-812",
                 *       "key": "go",
                 *       "prompt": "Deploy?",
                 *       "choices": [
                 *         "yes",
                 *         "no"
                 *       ],
                 *       "wait": 30
                 *     }
                 */
                "application/json": {
                    /** @description Names the program that drives the task: another one is refused */
                    driverId: string;
                    /** @description Seconds from now after which the task fails if no other call comes; 60 */
                    leaseSeconds?: number;
                    /** @description One question each: the same key again gives the same question, and waits on */
                    key: string;
                    prompt: string;
                    /** @description Seconds to answer in; 300 */
                    timeout?: number;
                    choices?: (string | {
                        value: string;
                        label?: string;
                        description?: string;
                    })[];
                    /** @description The answer is a list of choices */
                    multiple?: boolean;
                    /** @description JSON Schema the answer must fit */
                    schema?: {
                        [key: string]: unknown;
                    };
                    /** @description Used when nobody answers in time */
                    default?: unknown;
                    /** @description Shown beside the question */
                    context?: unknown;
                    /**
                     * @description `operator`: people only, and no agent
                     * @default operator
                     * @enum {string}
                     */
                    answerableBy?: "anyone" | "operator";
                    /** @enum {string} */
                    urgency?: "low" | "normal" | "high";
                    /** @description The answer is told to the driver only */
                    secret?: boolean;
                    /**
                     * @description Seconds to wait for the outcome, at most 60
                     * @default 0
                     */
                    wait?: number;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "taskId": "task_6FkN2vQwXyBt8rLmZpDc4s8w",
                     *       "status": "running",
                     *       "cancelRequested": false,
                     *       "cancelReason": null,
                     *       "leaseExpiresAt": "2026-11-30T17:05:05.000123Z",
                     *       "questionId": "q_3HtWm9RkPzVx7nYqLdGb2f",
                     *       "outcome": "answered",
                     *       "answer": "yes",
                     *       "defaultUsed": false,
                     *       "defaultValue": null,
                     *       "declineReason": null,
                     *       "by": "Ann",
                     *       "deadline": "2026-11-30T17:09:06.120450Z"
                     *     }
                     */
                    "application/json": {
                        taskId: string;
                        /** @enum {string} */
                        status: "pending" | "running" | "waiting_for_input" | "completed" | "failed" | "cancelled";
                        /** @description Stop now, and finish with `cancelled` */
                        cancelRequested: boolean;
                        cancelReason: string | null;
                        /** @description When the task ends unless another call comes */
                        leaseExpiresAt: string | null;
                        questionId: string | null;
                        /** @description null while it is open: call again */
                        outcome: ("answered" | "declined" | "timed_out" | "cancelled") | null;
                        /** @description Any JSON value */
                        answer: unknown;
                        defaultUsed: boolean;
                        /** @description Any JSON value */
                        defaultValue: unknown;
                        declineReason: string | null;
                        /** @description The name of whoever decided it */
                        by: string | null;
                        deadline: string | null;
                    };
                };
            };
            /** @description Bad Request: `invalid_input`, `not_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Not Found: `task_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `conflict`, `lease_lost` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "title": "Conflict",
                     *       "status": 409,
                     *       "detail": "Question q_3HtWm9RkPzVx7nYqLdGb2f was already answered by Ann (dashboard) at 2026-11-30T17:04:31.004200Z. Nothing was changed by this call.",
                     *       "code": "conflict",
                     *       "details": {
                     *         "questionId": "q_3HtWm9RkPzVx7nYqLdGb2f",
                     *         "taskId": "task_6FkN2vQwXyBt8rLmZpDc4s8w",
                     *         "outcome": "answered",
                     *         "answer": "yes"
                     *       }
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Payload Too Large: `too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    drive_finish: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                taskId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "driverId": "ci-812",
                 *       "status": "completed",
                 *       "result": {
                 *         "version": "8.1.2"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description Names the program that drives the task: another one is refused */
                    driverId: string;
                    /** @description Seconds from now after which the task fails if no other call comes; 60 */
                    leaseSeconds?: number;
                    /** @enum {string} */
                    status: "completed" | "failed" | "cancelled";
                    /** @description Any JSON value */
                    result?: unknown;
                    /** @description Needed for `failed` */
                    error?: string;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "taskId": "task_6FkN2vQwXyBt8rLmZpDc4s8w",
                     *       "status": "completed",
                     *       "cancelRequested": false,
                     *       "cancelReason": null,
                     *       "leaseExpiresAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["DriverState"];
                };
            };
            /** @description Bad Request: `invalid_input`, `not_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Not Found: `task_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `conflict`, `lease_lost` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "title": "Conflict",
                     *       "status": 409,
                     *       "detail": "Question q_3HtWm9RkPzVx7nYqLdGb2f was already answered by Ann (dashboard) at 2026-11-30T17:04:31.004200Z. Nothing was changed by this call.",
                     *       "code": "conflict",
                     *       "details": {
                     *         "questionId": "q_3HtWm9RkPzVx7nYqLdGb2f",
                     *         "taskId": "task_6FkN2vQwXyBt8rLmZpDc4s8w",
                     *         "outcome": "answered",
                     *         "answer": "yes"
                     *       }
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Payload Too Large: `too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
}
