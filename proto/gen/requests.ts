// The requests of geyser.Geyser as plain data.
// @generated from the .proto files by scripts/proto.mjs
import type { RequestTable } from '../requestTable';

export const SERVICE = "geyser.Geyser";

/** The message that each call takes. */
export const METHODS = {
  "Subscribe": "geyser.SubscribeRequest",
  "SubscribeDeshred": "geyser.SubscribeDeshredRequest",
  "SubscribeGossip": "geyser.SubscribeGossipRequest",
  "SubscribePreprocessed": "geyser.SubscribePreprocessedRequest",
  "SubscribeReplayInfo": "geyser.SubscribeReplayInfoRequest",
  "Ping": "geyser.PingRequest",
  "GetLatestBlockhash": "geyser.GetLatestBlockhashRequest",
  "GetBlockHeight": "geyser.GetBlockHeightRequest",
  "GetSlot": "geyser.GetSlotRequest",
  "IsBlockhashValid": "geyser.IsBlockhashValidRequest",
  "GetVersion": "geyser.GetVersionRequest"
} as const;

export const REQUESTS: RequestTable = {
  "methods": METHODS,
  "streams": [
    "Subscribe",
    "SubscribeDeshred",
    "SubscribeGossip",
    "SubscribePreprocessed"
  ],
  "messages": {
    "geyser.SubscribeRequest": {
      "accounts": {
        "jsonName": "accounts",
        "number": 1,
        "many": "map",
        "message": "geyser.SubscribeRequestFilterAccounts"
      },
      "slots": {
        "jsonName": "slots",
        "number": 2,
        "many": "map",
        "message": "geyser.SubscribeRequestFilterSlots"
      },
      "transactions": {
        "jsonName": "transactions",
        "number": 3,
        "many": "map",
        "message": "geyser.SubscribeRequestFilterTransactions"
      },
      "blocks": {
        "jsonName": "blocks",
        "number": 4,
        "many": "map",
        "message": "geyser.SubscribeRequestFilterBlocks"
      },
      "blocks_meta": {
        "jsonName": "blocksMeta",
        "number": 5,
        "many": "map",
        "message": "geyser.SubscribeRequestFilterBlocksMeta"
      },
      "commitment": {
        "jsonName": "commitment",
        "number": 6,
        "enum": "geyser.CommitmentLevel"
      },
      "accounts_data_slice": {
        "jsonName": "accountsDataSlice",
        "number": 7,
        "many": "list",
        "message": "geyser.SubscribeRequestAccountsDataSlice"
      },
      "entry": {
        "jsonName": "entry",
        "number": 8,
        "many": "map",
        "message": "geyser.SubscribeRequestFilterEntry"
      },
      "ping": {
        "jsonName": "ping",
        "number": 9,
        "message": "geyser.SubscribeRequestPing"
      },
      "transactions_status": {
        "jsonName": "transactionsStatus",
        "number": 10,
        "many": "map",
        "message": "geyser.SubscribeRequestFilterTransactions"
      },
      "from_slot": {
        "jsonName": "fromSlot",
        "number": 11,
        "scalar": "uint64"
      },
      "block_footer": {
        "jsonName": "blockFooter",
        "number": 12,
        "many": "map",
        "message": "geyser.SubscribeRequestFilterBlockFooter"
      }
    },
    "geyser.SubscribeRequestFilterAccounts": {
      "account": {
        "jsonName": "account",
        "number": 2,
        "many": "list",
        "scalar": "string"
      },
      "owner": {
        "jsonName": "owner",
        "number": 3,
        "many": "list",
        "scalar": "string"
      },
      "filters": {
        "jsonName": "filters",
        "number": 4,
        "many": "list",
        "message": "geyser.SubscribeRequestFilterAccountsFilter"
      },
      "nonempty_txn_signature": {
        "jsonName": "nonemptyTxnSignature",
        "number": 5,
        "scalar": "bool"
      },
      "cuckoo_accounts_filter": {
        "jsonName": "cuckooAccountsFilter",
        "number": 6,
        "message": "geyser.CuckooFilter"
      }
    },
    "geyser.SubscribeRequestFilterAccountsFilter": {
      "memcmp": {
        "jsonName": "memcmp",
        "number": 1,
        "message": "geyser.SubscribeRequestFilterAccountsFilterMemcmp",
        "oneof": "filter"
      },
      "datasize": {
        "jsonName": "datasize",
        "number": 2,
        "scalar": "uint64",
        "oneof": "filter"
      },
      "token_account_state": {
        "jsonName": "tokenAccountState",
        "number": 3,
        "scalar": "bool",
        "oneof": "filter"
      },
      "lamports": {
        "jsonName": "lamports",
        "number": 4,
        "message": "geyser.SubscribeRequestFilterAccountsFilterLamports",
        "oneof": "filter"
      }
    },
    "geyser.SubscribeRequestFilterAccountsFilterMemcmp": {
      "offset": {
        "jsonName": "offset",
        "number": 1,
        "scalar": "uint64"
      },
      "bytes": {
        "jsonName": "bytes",
        "number": 2,
        "scalar": "bytes",
        "oneof": "data"
      },
      "base58": {
        "jsonName": "base58",
        "number": 3,
        "scalar": "string",
        "oneof": "data"
      },
      "base64": {
        "jsonName": "base64",
        "number": 4,
        "scalar": "string",
        "oneof": "data"
      }
    },
    "geyser.SubscribeRequestFilterAccountsFilterLamports": {
      "eq": {
        "jsonName": "eq",
        "number": 1,
        "scalar": "uint64",
        "oneof": "cmp"
      },
      "ne": {
        "jsonName": "ne",
        "number": 2,
        "scalar": "uint64",
        "oneof": "cmp"
      },
      "lt": {
        "jsonName": "lt",
        "number": 3,
        "scalar": "uint64",
        "oneof": "cmp"
      },
      "gt": {
        "jsonName": "gt",
        "number": 4,
        "scalar": "uint64",
        "oneof": "cmp"
      }
    },
    "geyser.CuckooFilter": {
      "data": {
        "jsonName": "data",
        "number": 1,
        "scalar": "bytes"
      },
      "bucket_count": {
        "jsonName": "bucketCount",
        "number": 2,
        "scalar": "uint32"
      },
      "entries_per_bucket": {
        "jsonName": "entriesPerBucket",
        "number": 3,
        "scalar": "uint32"
      },
      "fingerprint_bits": {
        "jsonName": "fingerprintBits",
        "number": 4,
        "scalar": "uint32"
      },
      "hash_seed": {
        "jsonName": "hashSeed",
        "number": 5,
        "scalar": "uint64"
      },
      "hash_algorithm": {
        "jsonName": "hashAlgorithm",
        "number": 6,
        "enum": "geyser.CuckooHashAlgorithm"
      }
    },
    "geyser.SubscribeRequestFilterSlots": {
      "filter_by_commitment": {
        "jsonName": "filterByCommitment",
        "number": 1,
        "scalar": "bool"
      },
      "interslot_updates": {
        "jsonName": "interslotUpdates",
        "number": 2,
        "scalar": "bool"
      }
    },
    "geyser.SubscribeRequestFilterTransactions": {
      "vote": {
        "jsonName": "vote",
        "number": 1,
        "scalar": "bool"
      },
      "failed": {
        "jsonName": "failed",
        "number": 2,
        "scalar": "bool"
      },
      "account_include": {
        "jsonName": "accountInclude",
        "number": 3,
        "many": "list",
        "scalar": "string"
      },
      "account_exclude": {
        "jsonName": "accountExclude",
        "number": 4,
        "many": "list",
        "scalar": "string"
      },
      "signature": {
        "jsonName": "signature",
        "number": 5,
        "scalar": "string"
      },
      "account_required": {
        "jsonName": "accountRequired",
        "number": 6,
        "many": "list",
        "scalar": "string"
      },
      "cuckoo_account_include": {
        "jsonName": "cuckooAccountInclude",
        "number": 7,
        "message": "geyser.CuckooFilter"
      },
      "token_accounts": {
        "jsonName": "tokenAccounts",
        "number": 30,
        "enum": "geyser.TokenAccountExpansionControlFlag"
      },
      "match_mints": {
        "jsonName": "matchMints",
        "number": 32,
        "scalar": "bool"
      }
    },
    "geyser.SubscribeRequestFilterBlocks": {
      "account_include": {
        "jsonName": "accountInclude",
        "number": 1,
        "many": "list",
        "scalar": "string"
      },
      "include_transactions": {
        "jsonName": "includeTransactions",
        "number": 2,
        "scalar": "bool"
      },
      "include_accounts": {
        "jsonName": "includeAccounts",
        "number": 3,
        "scalar": "bool"
      },
      "include_entries": {
        "jsonName": "includeEntries",
        "number": 4,
        "scalar": "bool"
      },
      "cuckoo_account_include": {
        "jsonName": "cuckooAccountInclude",
        "number": 5,
        "message": "geyser.CuckooFilter"
      }
    },
    "geyser.SubscribeRequestFilterBlocksMeta": {},
    "geyser.SubscribeRequestAccountsDataSlice": {
      "offset": {
        "jsonName": "offset",
        "number": 1,
        "scalar": "uint64"
      },
      "length": {
        "jsonName": "length",
        "number": 2,
        "scalar": "uint64"
      }
    },
    "geyser.SubscribeRequestFilterEntry": {
      "include_update_parent": {
        "jsonName": "includeUpdateParent",
        "number": 1,
        "scalar": "bool"
      }
    },
    "geyser.SubscribeRequestPing": {
      "id": {
        "jsonName": "id",
        "number": 1,
        "scalar": "int32"
      }
    },
    "geyser.SubscribeRequestFilterBlockFooter": {
      "include_certificates": {
        "jsonName": "includeCertificates",
        "number": 1,
        "scalar": "bool"
      }
    },
    "geyser.SubscribeDeshredRequest": {
      "deshred_transactions": {
        "jsonName": "deshredTransactions",
        "number": 1,
        "many": "map",
        "message": "geyser.SubscribeRequestFilterDeshredTransactions"
      },
      "ping": {
        "jsonName": "ping",
        "number": 2,
        "message": "geyser.SubscribeRequestPing"
      },
      "slots": {
        "jsonName": "slots",
        "number": 3,
        "many": "map",
        "message": "geyser.SubscribeRequestFilterSlots"
      }
    },
    "geyser.SubscribeRequestFilterDeshredTransactions": {
      "vote": {
        "jsonName": "vote",
        "number": 1,
        "scalar": "bool"
      },
      "account_include": {
        "jsonName": "accountInclude",
        "number": 2,
        "many": "list",
        "scalar": "string"
      },
      "account_exclude": {
        "jsonName": "accountExclude",
        "number": 3,
        "many": "list",
        "scalar": "string"
      },
      "account_required": {
        "jsonName": "accountRequired",
        "number": 4,
        "many": "list",
        "scalar": "string"
      }
    },
    "geyser.SubscribeGossipRequest": {},
    "geyser.SubscribePreprocessedRequest": {
      "transactions": {
        "jsonName": "transactions",
        "number": 1,
        "many": "map",
        "message": "geyser.SubscribePreprocessedRequestFilterTransactions"
      },
      "ping": {
        "jsonName": "ping",
        "number": 2,
        "message": "geyser.SubscribeRequestPing"
      }
    },
    "geyser.SubscribePreprocessedRequestFilterTransactions": {
      "vote": {
        "jsonName": "vote",
        "number": 1,
        "scalar": "bool"
      },
      "signature": {
        "jsonName": "signature",
        "number": 2,
        "scalar": "string"
      },
      "account_include": {
        "jsonName": "accountInclude",
        "number": 3,
        "many": "list",
        "scalar": "string"
      },
      "account_exclude": {
        "jsonName": "accountExclude",
        "number": 4,
        "many": "list",
        "scalar": "string"
      },
      "account_required": {
        "jsonName": "accountRequired",
        "number": 5,
        "many": "list",
        "scalar": "string"
      }
    },
    "geyser.SubscribeReplayInfoRequest": {},
    "geyser.PingRequest": {
      "count": {
        "jsonName": "count",
        "number": 1,
        "scalar": "int32"
      }
    },
    "geyser.GetLatestBlockhashRequest": {
      "commitment": {
        "jsonName": "commitment",
        "number": 1,
        "enum": "geyser.CommitmentLevel"
      }
    },
    "geyser.GetBlockHeightRequest": {
      "commitment": {
        "jsonName": "commitment",
        "number": 1,
        "enum": "geyser.CommitmentLevel"
      }
    },
    "geyser.GetSlotRequest": {
      "commitment": {
        "jsonName": "commitment",
        "number": 1,
        "enum": "geyser.CommitmentLevel"
      }
    },
    "geyser.IsBlockhashValidRequest": {
      "blockhash": {
        "jsonName": "blockhash",
        "number": 1,
        "scalar": "string"
      },
      "commitment": {
        "jsonName": "commitment",
        "number": 2,
        "enum": "geyser.CommitmentLevel"
      }
    },
    "geyser.GetVersionRequest": {}
  },
  "enums": {
    "geyser.CommitmentLevel": {
      "PROCESSED": 0,
      "CONFIRMED": 1,
      "FINALIZED": 2
    },
    "geyser.CuckooHashAlgorithm": {
      "SIP_HASH": 0
    },
    "geyser.TokenAccountExpansionControlFlag": {
      "ALL": 0,
      "BALANCE_CHANGED": 1
    }
  }
};
