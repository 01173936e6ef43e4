// The models that the caller can use now.
import type { CallOptions, Client, GatewayModelReply } from '@cowrie/sdk'

export type AvailableModel = GatewayModelReply

export const availableModels = async (client: Client, options: CallOptions = {}): Promise<AvailableModel[]> =>
  (await client.gateway.models(options)).data
