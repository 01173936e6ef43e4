// Keeps the screen on while somebody waits: what they must do stands there, and their other hand holds the phone that pays.
import { useEffect } from 'preact/hooks'

export function useWakeLock(isWanted: boolean): void {
  useEffect(() => {
    if (!isWanted || !('wakeLock' in navigator)) return
    let held: WakeLockSentinel | null = null
    let isOver = false
    // A browser may say no, such as with little battery left; then the screen goes dark as ever.
    const take = async (): Promise<void> => {
      if (document.hidden) return
      held = await navigator.wakeLock.request('screen').catch(() => null)
      if (isOver) void held?.release()
    }
    // Whoever looks away gives it up, and takes it again on coming back.
    const seen = (): void => void take()
    void take()
    document.addEventListener('visibilitychange', seen)
    return () => {
      isOver = true
      document.removeEventListener('visibilitychange', seen)
      void held?.release()
    }
  }, [isWanted])
}
