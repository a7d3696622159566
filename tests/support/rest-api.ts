export interface paths {
    "/task-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
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
        get: operations["tasks_list"];
        put?: never;
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
        get: operations["audit_export"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks/cancellations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["tasks_cancelMany"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks/reruns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["tasks_rerunMany"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["tasks_overview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["tasks_stats"];
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
            detail: string;
            /** @enum {string} */
            code: "task_not_found" | "unknown_task_type" | "invalid_input" | "invalid_params" | "invalid_answer" | "invalid_cursor" | "conflict" | "idempotency_conflict" | "forbidden" | "unauthorized" | "too_many_attempts" | "too_many_calls" | "task_cancelled" | "grant_refused" | "secret_unreadable" | "child_task_failed" | "task_timeout" | "question_declined" | "lease_lost" | "shutting_down" | "store_unavailable" | "store_locked" | "migration_refused" | "server_unreachable" | "ambiguous_step" | "replay_mismatch" | "non_retryable" | "not_json" | "too_large" | "unsupported_media_type" | "sign_on_unavailable" | "session_expired" | "foreign_origin" | "unknown_host" | "unknown_route" | "method_not_allowed" | "client_gone" | "internal";
            details: {
                [key: string]: unknown;
            };
        };
        Task: {
            taskId: string;
            type: string;
            /** @enum {string} */
            status: "pending" | "running" | "waiting_for_input" | "completed" | "failed" | "cancelled";
            createdAt: string;
            createdBy: components["schemas"]["Actor"];
            startedAt: string | null;
            finishedAt: string | null;
            lastSeq: number;
            lastEventAt: string;
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
            driverSequence: number | null;
            workedSeconds: number;
            waitedSeconds: number;
            clock: ("working" | "waiting") | null;
            clockSince: string | null;
            errorSummary: string | null;
            /** @enum {string} */
            activity: "queued" | "running" | "waiting" | "parked" | "resuming" | "done";
        };
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
            at: string;
            unit?: string;
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
            timeout: number;
            askedAt: string;
            deadline: string;
            choices: {
                value: string;
                label: string;
                description?: string;
            }[] | null;
            multiple: boolean;
            schema: {
                [key: string]: unknown;
            } | null;
            /** @enum {string} */
            answerableBy: "anyone" | "operator";
            /** @enum {string} */
            urgency: "low" | "normal" | "high";
            secret: boolean;
            hasDefault: boolean;
            defaultValue: unknown;
            context: unknown;
            outcome: ("answered" | "declined" | "timed_out" | "cancelled") | null;
            answer: unknown;
            answeredAt: string | null;
            resolvedAt: string | null;
            resolvedBy: components["schemas"]["Actor"] | null;
            declineReason: string | null;
            defaultUsed: boolean;
            firstSeenAt: string | null;
            firstSeenBy: components["schemas"]["Actor"] | null;
            claimedBy: components["schemas"]["Actor"] | null;
            claimedUntil: string | null;
            lastSeq: number;
            forgotten: boolean;
            approval: components["schemas"]["Approval"] | null;
            isAnswered: boolean;
            isResolved: boolean;
            timedOut: boolean;
        };
        Approval: {
            action: string;
            args: unknown;
            argsDigest: string;
            askedDigest: string;
            argsSchema: {
                [key: string]: unknown;
            } | null;
            allowEdit: boolean;
            edited: {
                by: components["schemas"]["Actor"];
                at: string;
                askedArgs: unknown;
            } | null;
            needed: number;
            given: {
                by: components["schemas"]["Actor"];
                at: string;
            }[];
            selfApproval: boolean;
            expiresIn: number;
            expiresAt: string | null;
            usedBy: {
                name: string;
                key: string;
                at: string;
            } | null;
        };
        AuditEntry: {
            auditId: number;
            at: string;
            /** @enum {string} */
            action: "task.started" | "task.rerun" | "task.cancelled" | "question.answered" | "question.declined" | "question.seen" | "question.claimed" | "question.released" | "question.refused" | "approval.given" | "identity.signed_in" | "identity.sign_in_failed" | "identity.signed_out" | "identity.sessions_ended" | "identity.password_changed" | "identity.set_up" | "identity.invite_made" | "identity.invite_withdrawn" | "identity.invite_accepted" | "identity.person_changed" | "identity.person_entered" | "identity.admin_ensured" | "identity.sign_on_connected" | "identity.sign_on_disconnected" | "identity.passkey_added" | "identity.passkey_renamed" | "identity.passkey_removed" | "identity.key_made" | "identity.key_revoked" | "identity.key_refused" | "identity.attempts_blocked" | "identity.type_rule_changed" | "audit.exported";
            actor: {
                /** @enum {string} */
                kind: "operator" | "agent" | "system";
                id: string;
                name: string;
            } | null;
            keyOwnerId: string | null;
            surface: ("library" | "dashboard" | "trpc" | "rest" | "mcp" | "agent-tools" | "cli" | "system") | null;
            address: string | null;
            taskId: string | null;
            taskType: string | null;
            questionId: string | null;
            details: {
                [key: string]: unknown;
            };
        };
        DriverState: {
            taskId: string;
            /** @enum {string} */
            status: "pending" | "running" | "waiting_for_input" | "completed" | "failed" | "cancelled";
            cancelRequested: boolean;
            cancelReason: string | null;
            leaseExpiresAt: string | null;
        };
    };
    responses: {
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        MisdirectedRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        TooManyRequests: {
            headers: {
                "Retry-After": string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        InternalServerError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        ServiceUnavailable: {
            headers: {
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
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
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
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
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
                activities?: ("queued" | "running" | "waiting" | "parked" | "resuming" | "done")[];
                types?: string[];
                text?: string;
                labels?: {
                    [key: string]: string;
                };
                parentTaskId?: string;
                rerunOf?: string;
                createdFrom?: string;
                createdUntil?: string;
                finishedFrom?: string;
                finishedUntil?: string;
                waitsForMe?: boolean;
                limit?: number;
                after?: string | null;
                order?: "newest" | "oldest" | "latest_updated" | "earliest_updated" | "latest_finished" | "earliest_finished" | "longest" | "shortest";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Task"][];
                        nextCursor: string | null;
                    };
                };
            };
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
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    type: string;
                    params?: unknown;
                    idempotencyKey?: string;
                    priority?: number;
                    labels?: {
                        [key: string]: string;
                    };
                    startAfter?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        taskId: string;
                        /** @enum {string} */
                        status: "pending" | "running" | "waiting_for_input" | "completed" | "failed" | "cancelled";
                        created: boolean;
                    };
                };
            };
            201: {
                headers: {
                    Location: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        taskId: string;
                        /** @enum {string} */
                        status: "pending" | "running" | "waiting_for_input" | "completed" | "failed" | "cancelled";
                        created: boolean;
                    };
                };
            };
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
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
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
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        task: components["schemas"]["Task"];
                        isTypeKnown: boolean;
                        cancelGrace: number;
                        workedSeconds: number;
                        waitedSeconds: number;
                        params: unknown;
                        result: unknown;
                        error: string | null;
                        questions: components["schemas"]["Question"][];
                    };
                };
            };
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
                since?: string | null;
                timeout?: number;
                waitFor?: "news" | "input_or_result";
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
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        taskId: string;
                        /** @enum {string} */
                        status: "pending" | "running" | "waiting_for_input" | "completed" | "failed" | "cancelled";
                        updates: {
                            taskId: string;
                            message: string;
                            /** @enum {string} */
                            level: "debug" | "info" | "warning" | "error";
                            timestamp: string;
                            updateId: string;
                        }[];
                        pendingQuestion: components["schemas"]["Question"] | null;
                        pendingQuestions: components["schemas"]["Question"][];
                        result: {
                            taskId: string;
                            /** @enum {string} */
                            status: "completed" | "failed" | "cancelled";
                            result: unknown;
                            error: string | null;
                            completedAt: string;
                        } | null;
                        cursor: string;
                        hasMore: boolean;
                        progress: components["schemas"]["Progress"] | null;
                        cancelRequested: boolean;
                        notice: string | null;
                    };
                };
            };
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
                afterSeq?: number;
            };
            header?: {
                "Last-Event-ID"?: string;
            };
            path: {
                taskId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
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
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string;
                    "text/plain": string;
                };
            };
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
                "Idempotency-Key"?: string;
            };
            path: {
                taskId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    params?: unknown;
                    idempotencyKey?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        taskId: string;
                        /** @enum {string} */
                        status: "pending" | "running" | "waiting_for_input" | "completed" | "failed" | "cancelled";
                        created: boolean;
                    };
                };
            };
            201: {
                headers: {
                    Location: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        taskId: string;
                        /** @enum {string} */
                        status: "pending" | "running" | "waiting_for_input" | "completed" | "failed" | "cancelled";
                        created: boolean;
                    };
                };
            };
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
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
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
                "application/json": {
                    reason?: string | null;
                    force?: boolean;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        cancelled: boolean;
                        /** @enum {string} */
                        status: "pending" | "running" | "waiting_for_input" | "completed" | "failed" | "cancelled";
                    };
                };
            };
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
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
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
                order?: "deadline" | "pressing";
                taskId?: string;
                limit?: number;
                after?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            questionId: string;
                            taskId: string;
                            key: string;
                            prompt: string;
                            timeout: number;
                            askedAt: string;
                            deadline: string;
                            choices: {
                                value: string;
                                label: string;
                                description?: string;
                            }[] | null;
                            multiple: boolean;
                            schema: {
                                [key: string]: unknown;
                            } | null;
                            /** @enum {string} */
                            answerableBy: "anyone" | "operator";
                            /** @enum {string} */
                            urgency: "low" | "normal" | "high";
                            secret: boolean;
                            hasDefault: boolean;
                            defaultValue: unknown;
                            context: unknown;
                            outcome: ("answered" | "declined" | "timed_out" | "cancelled") | null;
                            answer: unknown;
                            answeredAt: string | null;
                            resolvedAt: string | null;
                            resolvedBy: components["schemas"]["Actor"] | null;
                            declineReason: string | null;
                            defaultUsed: boolean;
                            firstSeenAt: string | null;
                            firstSeenBy: components["schemas"]["Actor"] | null;
                            claimedBy: components["schemas"]["Actor"] | null;
                            claimedUntil: string | null;
                            lastSeq: number;
                            forgotten: boolean;
                            approval: components["schemas"]["Approval"] | null;
                            isAnswered: boolean;
                            isResolved: boolean;
                            timedOut: boolean;
                            taskType: string;
                            /** @enum {string} */
                            taskStatus: "pending" | "running" | "waiting_for_input" | "completed" | "failed" | "cancelled";
                            tasksBehind: number;
                        }[];
                        nextCursor: string | null;
                    };
                };
            };
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
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Question"];
                };
            };
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
                "application/json": {
                    answer: unknown;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        question: components["schemas"]["Question"];
                    };
                };
            };
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
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
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
                "application/json": {
                    answers: {
                        questionId: string;
                        answer: unknown;
                    }[];
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        results: {
                            questionId: string;
                            /** @enum {string} */
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
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
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
                "application/json": {
                    reason?: string | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        question: components["schemas"]["Question"];
                    };
                };
            };
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
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
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
                "application/json": {
                    /** @default false */
                    takeOver?: boolean;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        question: components["schemas"]["Question"];
                    };
                };
            };
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
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
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
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        question: components["schemas"]["Question"];
                    };
                };
            };
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
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
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
    audit_list: {
        parameters: {
            query?: {
                actor?: string;
                action?: ("task.started" | "task.rerun" | "task.cancelled" | "question.answered" | "question.declined" | "question.seen" | "question.claimed" | "question.released" | "question.refused" | "approval.given" | "identity.signed_in" | "identity.sign_in_failed" | "identity.signed_out" | "identity.sessions_ended" | "identity.password_changed" | "identity.set_up" | "identity.invite_made" | "identity.invite_withdrawn" | "identity.invite_accepted" | "identity.person_changed" | "identity.person_entered" | "identity.admin_ensured" | "identity.sign_on_connected" | "identity.sign_on_disconnected" | "identity.passkey_added" | "identity.passkey_renamed" | "identity.passkey_removed" | "identity.key_made" | "identity.key_revoked" | "identity.key_refused" | "identity.attempts_blocked" | "identity.type_rule_changed" | "audit.exported")[];
                taskId?: string;
                from?: string;
                until?: string;
                limit?: number;
                after?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["AuditEntry"][];
                        nextCursor: string | null;
                    };
                };
            };
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
                actor?: string;
                action?: ("task.started" | "task.rerun" | "task.cancelled" | "question.answered" | "question.declined" | "question.seen" | "question.claimed" | "question.released" | "question.refused" | "approval.given" | "identity.signed_in" | "identity.sign_in_failed" | "identity.signed_out" | "identity.sessions_ended" | "identity.password_changed" | "identity.set_up" | "identity.invite_made" | "identity.invite_withdrawn" | "identity.invite_accepted" | "identity.person_changed" | "identity.person_entered" | "identity.admin_ensured" | "identity.sign_on_connected" | "identity.sign_on_disconnected" | "identity.passkey_added" | "identity.passkey_renamed" | "identity.passkey_removed" | "identity.key_made" | "identity.key_revoked" | "identity.key_refused" | "identity.attempts_blocked" | "identity.type_rule_changed" | "audit.exported")[];
                taskId?: string;
                from?: string;
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                    "text/csv": string;
                };
            };
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
    tasks_cancelMany: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    taskIds: string[];
                    reason?: string | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcomes: {
                            taskId: string;
                            did: string | null;
                            error: {
                                code: string;
                                message: string;
                            } | null;
                        }[];
                    };
                };
            };
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
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
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
    tasks_rerunMany: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    taskIds: string[];
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        outcomes: {
                            taskId: string;
                            did: string | null;
                            error: {
                                code: string;
                                message: string;
                            } | null;
                        }[];
                    };
                };
            };
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
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
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
    tasks_overview: {
        parameters: {
            query?: {
                range?: "1h" | "24h" | "7d" | "30d";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        range: "1h" | "24h" | "7d" | "30d";
                        from: string;
                        slotSeconds: number;
                        live: {
                            pending: number;
                            running: number;
                            waiting: number;
                            byType: {
                                type: string;
                                /** @enum {string} */
                                status: "pending" | "running" | "waiting_for_input" | "completed" | "failed" | "cancelled";
                                count: number;
                            }[];
                        };
                        longestWaiting: {
                            questionId: string;
                            taskId: string;
                            taskType: string;
                            prompt: string;
                            askedAt: string;
                            deadline: string;
                        }[];
                        total: {
                            started: number;
                            completed: number;
                            failed: number;
                            cancelled: number;
                            asked: number;
                            answered: number;
                            declined: number;
                            timedOut: number;
                            withdrawn: number;
                            workedSeconds: number;
                            failureRate: number | null;
                            answerP50: number | null;
                            answerP95: number | null;
                        };
                        slots: {
                            at: string;
                            started: number;
                            completed: number;
                            failed: number;
                            cancelled: number;
                            asked: number;
                            answered: number;
                            declined: number;
                            timedOut: number;
                            withdrawn: number;
                            workedSeconds: number;
                            failureRate: number | null;
                            answerP50: number | null;
                            answerP95: number | null;
                        }[];
                        types: {
                            type: string;
                            started: number;
                            completed: number;
                            failed: number;
                            cancelled: number;
                            asked: number;
                            answered: number;
                            declined: number;
                            timedOut: number;
                            withdrawn: number;
                            workedSeconds: number;
                            failureRate: number | null;
                            answerP50: number | null;
                            answerP95: number | null;
                        }[];
                    };
                };
            };
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
    tasks_stats: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        tasks: {
                            pending: number;
                            running: number;
                            waiting_for_input: number;
                            completed: number;
                            failed: number;
                            cancelled: number;
                        };
                        openQuestions: number;
                        waitingPolls: number;
                    };
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
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    type: string;
                    params?: unknown;
                    driverId?: string;
                    leaseSeconds?: number;
                    idempotencyKey?: string;
                    priority?: number;
                    labels?: {
                        [key: string]: string;
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        taskId: string;
                        /** @enum {string} */
                        status: "pending" | "running" | "waiting_for_input" | "completed" | "failed" | "cancelled";
                        cancelRequested: boolean;
                        cancelReason: string | null;
                        leaseExpiresAt: string | null;
                        driverId: string;
                        created: boolean;
                    };
                };
            };
            201: {
                headers: {
                    Location: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        taskId: string;
                        /** @enum {string} */
                        status: "pending" | "running" | "waiting_for_input" | "completed" | "failed" | "cancelled";
                        cancelRequested: boolean;
                        cancelReason: string | null;
                        leaseExpiresAt: string | null;
                        driverId: string;
                        created: boolean;
                    };
                };
            };
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
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
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
                "application/json": {
                    driverId: string;
                    leaseSeconds?: number;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DriverState"];
                };
            };
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
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
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
                "application/json": {
                    driverId: string;
                    leaseSeconds?: number;
                    message: string;
                    /**
                     * @default info
                     * @enum {string}
                     */
                    level?: "debug" | "info" | "warning" | "error";
                    sequence?: number;
                    key?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DriverState"];
                };
            };
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
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
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
                "application/json": {
                    driverId: string;
                    leaseSeconds?: number;
                    done: number;
                    total?: number | null;
                    message?: string | null;
                    unit?: string;
                    key?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DriverState"];
                };
            };
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
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
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
                "application/json": {
                    driverId: string;
                    leaseSeconds?: number;
                    key: string;
                    prompt: string;
                    timeout?: number;
                    choices?: (string | {
                        value: string;
                        label?: string;
                        description?: string;
                    })[];
                    multiple?: boolean;
                    schema?: {
                        [key: string]: unknown;
                    };
                    default?: unknown;
                    context?: unknown;
                    /**
                     * @default operator
                     * @enum {string}
                     */
                    answerableBy?: "anyone" | "operator";
                    /** @enum {string} */
                    urgency?: "low" | "normal" | "high";
                    secret?: boolean;
                    /** @default 0 */
                    wait?: number;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        taskId: string;
                        /** @enum {string} */
                        status: "pending" | "running" | "waiting_for_input" | "completed" | "failed" | "cancelled";
                        cancelRequested: boolean;
                        cancelReason: string | null;
                        leaseExpiresAt: string | null;
                        questionId: string | null;
                        outcome: ("answered" | "declined" | "timed_out" | "cancelled") | null;
                        answer: unknown;
                        defaultUsed: boolean;
                        defaultValue: unknown;
                        declineReason: string | null;
                        by: string | null;
                        deadline: string | null;
                    };
                };
            };
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
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
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
                "application/json": {
                    driverId: string;
                    leaseSeconds?: number;
                    /** @enum {string} */
                    status: "completed" | "failed" | "cancelled";
                    result?: unknown;
                    error?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DriverState"];
                };
            };
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
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
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
