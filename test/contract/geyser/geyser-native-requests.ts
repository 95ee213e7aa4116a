// The empty parts of a request of the native client, whose types want every member.
import type { SubscribeRequest } from '@triton-one/yellowstone-grpc';

export const NO_FILTERS: SubscribeRequest = {
  accounts: {},
  slots: {},
  transactions: {},
  transactionsStatus: {},
  blocks: {},
  blocksMeta: {},
  entry: {},
  accountsDataSlice: [],
};
export const ANY_ACCOUNT = { account: [], owner: [], filters: [] } satisfies SubscribeRequest['accounts'][string];
export const ANY_TRANSACTION = {
  accountInclude: [],
  accountExclude: [],
  accountRequired: [],
} satisfies SubscribeRequest['transactions'][string];
