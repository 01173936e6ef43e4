const query = useQuery(['orders'])
export const isDone = () => query.status === 'success'
