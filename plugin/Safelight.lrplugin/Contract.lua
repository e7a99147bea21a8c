-- Generated from the contract by `make generate`; never edited.
return {
	version = "0.1.0",
	protocol = 1,
	holdSeconds = 20,
	busyPollSeconds = 0.05,
	idlePollSeconds = 1,
	marginSeconds = 2,
	errors = {
		NO_SELECTION = "no photo is selected in Lightroom",
		PHOTO_NOT_FOUND = "no photo with this id in the open catalog",
		COLLECTION_NOT_FOUND = "no collection with this name or id",
		PRESET_NOT_FOUND = "no develop preset with this id",
		NAME_EXISTS = "a collection with this name is there already",
		SMART_COLLECTION_READONLY = "a smart collection takes no photos by hand",
		ORIGINAL_OFFLINE = "the photo's file cannot be reached",
		FOLDER_NOT_WRITABLE = "nothing can be written into this folder",
		UNSUPPORTED = "this version of Lightroom cannot do that",
		CATALOG_BUSY = "another operation holds the catalog; nothing was changed",
		CATALOG_CHANGED = "another catalog has been opened",
		READ_ONLY = "the read-only switch of the plug-in is on",
		AGENTS_OFF = "AI agents are turned off in the plug-in's settings",
		UNKNOWN_COMMAND = "the plug-in does not know this command",
		BAD_ARGUMENTS = "the arguments do not fit the command",
		TIMEOUT = "the plug-in ran out of time before it was done",
		THUMBNAIL_UNAVAILABLE = "Lightroom gave no preview of the photo",
		LIGHTROOM_ERROR = "Lightroom refused or failed",
		PLUGIN_OFFLINE = "Lightroom is not connected (said by the service)",
		TIMEOUT_UNKNOWN_OUTCOME = "no answer in time, or none kept; the change may or may not have happened",
	},
	commands = {
		get_state = {
			kind = "read",
			deadlineSeconds = 10,
			arguments = {},
		},
		list_photo_ids = {
			kind = "read",
			deadlineSeconds = 30,
			arguments = {
				{
					name = "source",
					type = "string",
					required = true,
					enum = {
						"all",
						"selection",
						"view",
						"collection",
						"adjusted",
					},
				},
				{
					name = "collection_id",
					type = "string",
					required = false,
				},
				{
					name = "with_edited",
					type = "boolean",
					required = false,
				},
				{
					name = "offset",
					type = "integer",
					required = true,
					minimum = 0,
				},
				{
					name = "limit",
					type = "integer",
					required = true,
					minimum = 1,
					maximum = 5000,
				},
			},
		},
		read_photos = {
			kind = "read",
			deadlineSeconds = 30,
			arguments = {
				{
					name = "photo_ids",
					type = "array",
					required = true,
					minItems = 1,
					maxItems = 500,
					items = {
						type = "string",
					},
				},
			},
		},
		get_thumbnail = {
			kind = "read",
			deadlineSeconds = 15,
			arguments = {
				{
					name = "photo_id",
					type = "string",
					required = true,
				},
				{
					name = "size",
					type = "integer",
					required = true,
					minimum = 64,
					maximum = 1600,
				},
			},
		},
		show_photos = {
			kind = "view",
			deadlineSeconds = 15,
			arguments = {
				{
					name = "photo_ids",
					type = "array",
					required = true,
					minItems = 1,
					maxItems = 5000,
					items = {
						type = "string",
					},
				},
			},
		},
		find_collections = {
			kind = "read",
			deadlineSeconds = 30,
			arguments = {
				{
					name = "name",
					type = "string",
					required = false,
				},
				{
					name = "count_from",
					type = "integer",
					required = false,
					minimum = 0,
				},
				{
					name = "count_to",
					type = "integer",
					required = false,
					minimum = 0,
				},
			},
		},
		create_collection = {
			kind = "write",
			deadlineSeconds = 20,
			arguments = {
				{
					name = "path",
					type = "array",
					required = true,
					minItems = 1,
					maxItems = 10,
					items = {
						type = "string",
						minLength = 1,
						maxLength = 200,
					},
				},
			},
		},
		create_smart_collection = {
			kind = "write",
			deadlineSeconds = 20,
			arguments = {
				{
					name = "path",
					type = "array",
					required = true,
					minItems = 1,
					maxItems = 10,
					items = {
						type = "string",
						minLength = 1,
						maxLength = 200,
					},
				},
				{
					name = "rules",
					type = "array",
					required = true,
					minItems = 1,
					maxItems = 20,
					items = {
						type = "object",
						properties = {
							{
								name = "criteria",
								type = "string",
								required = true,
								enum = {
									"rating",
									"pick",
									"labelColor",
									"captureTime",
									"keywords",
									"camera",
									"lens",
								},
							},
							{
								name = "operation",
								type = "string",
								required = true,
								enum = {
									"==",
									"!=",
									">",
									"<",
									">=",
									"<=",
									"in",
									"all",
									"any",
									"words",
								},
							},
							{
								name = "text",
								type = "string",
								required = false,
							},
							{
								name = "number",
								type = "integer",
								required = false,
							},
							{
								name = "text2",
								type = "string",
								required = false,
							},
							{
								name = "number2",
								type = "integer",
								required = false,
							},
						},
					},
				},
			},
		},
		delete_collection = {
			kind = "write",
			deadlineSeconds = 20,
			arguments = {
				{
					name = "collection_id",
					type = "string",
					required = true,
				},
			},
		},
		add_to_collection = {
			kind = "write",
			deadlineSeconds = 60,
			arguments = {
				{
					name = "collection_id",
					type = "string",
					required = true,
				},
				{
					name = "photo_ids",
					type = "array",
					required = true,
					minItems = 1,
					maxItems = 1000,
					items = {
						type = "string",
					},
				},
			},
		},
		remove_from_collection = {
			kind = "write",
			deadlineSeconds = 60,
			arguments = {
				{
					name = "collection_id",
					type = "string",
					required = true,
				},
				{
					name = "photo_ids",
					type = "array",
					required = true,
					minItems = 1,
					maxItems = 1000,
					items = {
						type = "string",
					},
				},
			},
		},
		write_photos = {
			kind = "write",
			deadlineSeconds = 60,
			arguments = {
				{
					name = "undo_name",
					type = "string",
					required = true,
					minLength = 1,
					maxLength = 80,
				},
				{
					name = "changes",
					type = "array",
					required = true,
					minItems = 1,
					maxItems = 500,
					items = {
						type = "object",
						properties = {
							{
								name = "photo_id",
								type = "string",
								required = true,
							},
							{
								name = "rating",
								type = "integer",
								required = false,
								minimum = 0,
								maximum = 5,
							},
							{
								name = "flag",
								type = "string",
								required = false,
								enum = {
									"pick",
									"none",
									"reject",
								},
							},
							{
								name = "label",
								type = "string",
								required = false,
							},
							{
								name = "title",
								type = "string",
								required = false,
							},
							{
								name = "caption",
								type = "string",
								required = false,
							},
							{
								name = "headline",
								type = "string",
								required = false,
							},
							{
								name = "creator",
								type = "string",
								required = false,
							},
							{
								name = "copyright",
								type = "string",
								required = false,
							},
							{
								name = "location",
								type = "string",
								required = false,
							},
							{
								name = "city",
								type = "string",
								required = false,
							},
							{
								name = "state",
								type = "string",
								required = false,
							},
							{
								name = "country",
								type = "string",
								required = false,
							},
							{
								name = "latitude",
								type = "number",
								required = false,
								minimum = -90,
								maximum = 90,
							},
							{
								name = "longitude",
								type = "number",
								required = false,
								minimum = -180,
								maximum = 180,
							},
							{
								name = "clear_gps",
								type = "boolean",
								required = false,
							},
						},
					},
				},
			},
		},
		list_keywords = {
			kind = "read",
			deadlineSeconds = 60,
			arguments = {
				{
					name = "offset",
					type = "integer",
					required = true,
					minimum = 0,
				},
				{
					name = "limit",
					type = "integer",
					required = true,
					minimum = 1,
					maximum = 5000,
				},
			},
		},
		edit_keywords = {
			kind = "write",
			deadlineSeconds = 60,
			arguments = {
				{
					name = "undo_name",
					type = "string",
					required = true,
					minLength = 1,
					maxLength = 80,
				},
				{
					name = "changes",
					type = "array",
					required = true,
					minItems = 1,
					maxItems = 200,
					items = {
						type = "object",
						properties = {
							{
								name = "photo_id",
								type = "string",
								required = true,
							},
							{
								name = "add",
								type = "array",
								required = true,
								items = {
									type = "array",
									minItems = 1,
									items = {
										type = "string",
										minLength = 1,
									},
								},
							},
							{
								name = "remove",
								type = "array",
								required = true,
								items = {
									type = "array",
									minItems = 1,
									items = {
										type = "string",
										minLength = 1,
									},
								},
							},
						},
					},
				},
			},
		},
		list_presets = {
			kind = "read",
			deadlineSeconds = 30,
			arguments = {},
		},
		read_develop = {
			kind = "read",
			deadlineSeconds = 30,
			arguments = {
				{
					name = "photo_ids",
					type = "array",
					required = true,
					minItems = 1,
					maxItems = 100,
					items = {
						type = "string",
					},
				},
			},
		},
		write_develop = {
			kind = "write",
			deadlineSeconds = 120,
			arguments = {
				{
					name = "undo_name",
					type = "string",
					required = true,
					minLength = 1,
					maxLength = 80,
				},
				{
					name = "changes",
					type = "array",
					required = true,
					minItems = 1,
					maxItems = 100,
					items = {
						type = "object",
						properties = {
							{
								name = "photo_id",
								type = "string",
								required = true,
							},
							{
								name = "settings",
								type = "object",
								required = true,
							},
						},
					},
				},
			},
		},
		apply_preset = {
			kind = "write",
			deadlineSeconds = 120,
			arguments = {
				{
					name = "undo_name",
					type = "string",
					required = true,
					minLength = 1,
					maxLength = 80,
				},
				{
					name = "preset_id",
					type = "string",
					required = true,
				},
				{
					name = "photo_ids",
					type = "array",
					required = true,
					minItems = 1,
					maxItems = 100,
					items = {
						type = "string",
					},
				},
			},
		},
		auto_tone = {
			kind = "write",
			deadlineSeconds = 120,
			arguments = {
				{
					name = "undo_name",
					type = "string",
					required = true,
					minLength = 1,
					maxLength = 80,
				},
				{
					name = "photo_ids",
					type = "array",
					required = true,
					minItems = 1,
					maxItems = 100,
					items = {
						type = "string",
					},
				},
			},
		},
		reset_develop = {
			kind = "write",
			deadlineSeconds = 120,
			arguments = {
				{
					name = "undo_name",
					type = "string",
					required = true,
					minLength = 1,
					maxLength = 80,
				},
				{
					name = "photo_ids",
					type = "array",
					required = true,
					minItems = 1,
					maxItems = 100,
					items = {
						type = "string",
					},
				},
			},
		},
		list_snapshots = {
			kind = "read",
			deadlineSeconds = 30,
			arguments = {
				{
					name = "photo_ids",
					type = "array",
					required = true,
					minItems = 1,
					maxItems = 100,
					items = {
						type = "string",
					},
				},
			},
		},
		create_snapshots = {
			kind = "write",
			deadlineSeconds = 60,
			arguments = {
				{
					name = "name",
					type = "string",
					required = true,
					minLength = 1,
					maxLength = 100,
				},
				{
					name = "photo_ids",
					type = "array",
					required = true,
					minItems = 1,
					maxItems = 100,
					items = {
						type = "string",
					},
				},
			},
		},
		create_virtual_copies = {
			kind = "write",
			deadlineSeconds = 120,
			arguments = {
				{
					name = "name",
					type = "string",
					required = false,
					maxLength = 100,
				},
				{
					name = "photo_ids",
					type = "array",
					required = true,
					minItems = 1,
					maxItems = 50,
					items = {
						type = "string",
					},
				},
			},
		},
		export_photos = {
			kind = "write",
			deadlineSeconds = 300,
			arguments = {
				{
					name = "folder",
					type = "string",
					required = true,
					minLength = 1,
				},
				{
					name = "format",
					type = "string",
					required = true,
					enum = {
						"jpeg",
						"tiff",
						"png",
						"dng",
						"original",
					},
				},
				{
					name = "quality",
					type = "integer",
					required = false,
					minimum = 1,
					maximum = 100,
				},
				{
					name = "long_edge",
					type = "integer",
					required = false,
					minimum = 16,
					maximum = 65000,
				},
				{
					name = "photo_ids",
					type = "array",
					required = true,
					minItems = 1,
					maxItems = 20,
					items = {
						type = "string",
					},
				},
			},
		},
	},
	routes = {
		list_chats = {
			method = "GET",
			path = "/v1/chat/sessions",
		},
		open_chat = {
			method = "POST",
			path = "/v1/chat/sessions",
		},
		get_chat = {
			method = "GET",
			path = "/v1/chat/sessions/{session_id}",
		},
		delete_chat = {
			method = "DELETE",
			path = "/v1/chat/sessions/{session_id}",
		},
		follow_events = {
			method = "GET",
			path = "/v1/chat/sessions/{session_id}/events",
		},
		send_message = {
			method = "POST",
			path = "/v1/chat/sessions/{session_id}/messages",
		},
		edit_queued_message = {
			method = "PUT",
			path = "/v1/chat/sessions/{session_id}/queue/{message_id}",
		},
		remove_queued_message = {
			method = "DELETE",
			path = "/v1/chat/sessions/{session_id}/queue/{message_id}",
		},
		list_approvals = {
			method = "GET",
			path = "/v1/chat/sessions/{session_id}/approvals",
		},
		answer_approval = {
			method = "POST",
			path = "/v1/chat/sessions/{session_id}/approvals/{call_id}",
		},
		stop_chat = {
			method = "POST",
			path = "/v1/chat/sessions/{session_id}/stop",
		},
		get_permissions = {
			method = "GET",
			path = "/v1/chat/sessions/{session_id}/permissions",
		},
		put_permissions = {
			method = "PUT",
			path = "/v1/chat/sessions/{session_id}/permissions",
		},
		put_connections = {
			method = "PUT",
			path = "/v1/chat/sessions/{session_id}/connections",
		},
		get_result = {
			method = "GET",
			path = "/v1/chat/sessions/{session_id}/results/{call_id}",
		},
		get_photo = {
			method = "GET",
			path = "/v1/chat/sessions/{session_id}/photos/{photo_id}",
		},
		list_inbox = {
			method = "GET",
			path = "/v1/inbox",
		},
		follow_inbox = {
			method = "GET",
			path = "/v1/inbox/events",
		},
		answer_inbox = {
			method = "POST",
			path = "/v1/inbox/{call_id}",
		},
		list_changes = {
			method = "GET",
			path = "/v1/changes",
		},
		get_change = {
			method = "GET",
			path = "/v1/changes/{change_id}",
		},
		undo_change = {
			method = "POST",
			path = "/v1/changes/{change_id}/undo",
		},
		list_jobs = {
			method = "GET",
			path = "/v1/jobs",
		},
		cancel_job = {
			method = "DELETE",
			path = "/v1/jobs/{job_id}",
		},
		get_index_status = {
			method = "GET",
			path = "/v1/index/status",
		},
		sync_index = {
			method = "POST",
			path = "/v1/index/sync",
		},
		search_index = {
			method = "POST",
			path = "/v1/index/search",
		},
		get_agent_permissions = {
			method = "GET",
			path = "/v1/permissions/agents",
		},
		put_agent_permissions = {
			method = "PUT",
			path = "/v1/permissions/agents",
		},
		list_tokens = {
			method = "GET",
			path = "/v1/tokens",
		},
		mint_token = {
			method = "POST",
			path = "/v1/tokens",
		},
		revoke_token = {
			method = "DELETE",
			path = "/v1/tokens/{token_id}",
		},
		bridge_hello = {
			method = "POST",
			path = "/v1/bridge/hello",
		},
		bridge_poll = {
			method = "POST",
			path = "/v1/bridge/poll",
		},
		bridge_result = {
			method = "POST",
			path = "/v1/bridge/result",
		},
		get_chat_page = {
			method = "GET",
			path = "/v1/ui/chat",
		},
		get_health = {
			method = "GET",
			path = "/v1/health",
		},
		get_contract = {
			method = "GET",
			path = "/v1/openapi.yaml",
		},
	},
}
