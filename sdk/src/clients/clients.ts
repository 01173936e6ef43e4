// Coding clients and their configuration for this service.
export {
  type ClientFile,
  type ClientId,
  type ClientRecipe,
  type ClientValues,
  fillTemplate,
} from './client-recipe.ts'
export { CLIENT_RECIPES } from './client-recipes.ts'
