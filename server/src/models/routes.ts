// Endpoints of providers and models, for staff.
import { route } from '../platform/http/route.ts'
import { ok } from '../platform/http/shapes.ts'
import { deleteModel, listModels, saveModel } from './admin/models.ts'
import { changeProvider, createProvider, deleteProvider, listProviders } from './admin/providers.ts'
import {
  ModelBody,
  ModelList,
  NewProvider,
  Provider,
  ProviderChange,
  ProviderList,
  SavedModel,
} from './schema.ts'

const writers = { staff: ['operator', 'super_admin'] } as const

export const modelRoutes = [
  route('admin.providers.list', 'GET /admin/providers', {
    summary: 'List the providers of models with their health.',
    detail:
      'The first one is built in and follows the settings `upstream_base_url` and `upstream_api_key`. Every provider is probed each minute unless it has just served a call.',
    access: { staff: 'any' },
    rate: 'global',
    reply: { 200: ProviderList },
    handle: ({ app }) => listProviders(app),
  }),

  route('admin.providers.create', 'POST /admin/providers', {
    summary: 'Add a provider of models.',
    detail: 'For super admins. Limit: 100 providers.',
    access: writers,
    stepUp: true,
    rate: 'global',
    audit: true,
    body: NewProvider,
    reply: { 201: Provider },
    errors: ['limit_reached', 'name_taken'],
    handle: ({ app, actor, body, request }) => createProvider(app, { actor, ip: request.address }, body),
  }),

  route('admin.providers.change', 'PATCH /admin/providers/{id}', {
    summary: 'Change a provider of models.',
    detail:
      'Missing fields keep their value. Only super admins change the address, the format, the region and the key. The change reaches every replica within seconds.',
    access: writers,
    stepUp: true,
    rate: 'global',
    audit: true,
    body: ProviderChange,
    reply: { 200: Provider },
    errors: ['built_in', 'name_taken'],
    handle: ({ app, actor, params, body, request }) =>
      changeProvider(app, { actor, ip: request.address }, params.id ?? '', body),
  }),

  route('admin.providers.delete', 'DELETE /admin/providers/{id}', {
    summary: 'Delete a provider of models that no model has a route to.',
    access: writers,
    stepUp: true,
    rate: 'global',
    audit: true,
    reply: { 200: ok },
    errors: ['built_in', 'provider_in_use'],
    handle: ({ app, actor, params, request }) =>
      deleteProvider(app, { actor, ip: request.address }, params.id ?? ''),
  }),

  route('admin.models.list', 'GET /admin/models', {
    summary: 'List the models of the catalogue and the further routes of the lanes.',
    access: { staff: 'any' },
    rate: 'global',
    reply: { 200: ModelList },
    handle: ({ app }) => listModels(app),
  }),

  route('admin.models.set', 'PUT /admin/models/{id}', {
    summary: 'Create or replace a model, or set the further routes of the lane `open` or `frontier`.',
    detail:
      'Only super admins change prices. A new price applies to calls that start after it; earlier versions are kept. The change reaches every replica within seconds. Limit: 500 models.',
    access: writers,
    stepUp: true,
    rate: 'global',
    audit: true,
    body: ModelBody,
    reply: { 200: SavedModel },
    errors: ['limit_reached', 'name_taken'],
    handle: ({ app, actor, params, body, request }) =>
      saveModel(app, { actor, ip: request.address }, params.id ?? '', body),
  }),

  route('admin.models.delete', 'DELETE /admin/models/{id}', {
    summary: 'Delete a model. Its past prices are kept.',
    access: writers,
    stepUp: true,
    rate: 'global',
    audit: true,
    reply: { 200: ok },
    errors: ['built_in'],
    handle: ({ app, actor, params, request }) =>
      deleteModel(app, { actor, ip: request.address }, params.id ?? ''),
  }),
]
