export { useMedia } from '../../../ui/layout/use-media.ts'
