namespace Shop;

public class Orders
{
  private readonly Random random = new();
  
  public void Start(Session session)
  {
    session.SessionId = "s" + random.NextInt64(); // ← here
  }
}
