namespace Shop;

public class Orders
{
  public int Delay() => Random.Shared.Next(100, 500);
}
