export const Icon = ({ svg }) => <i dangerouslySetInnerHTML={{ __html: '<b>x</b>' }} />
