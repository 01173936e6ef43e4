namespace Shop;

public class Orders
{
  public void SignIn(string name, string password)
  {
    Console.WriteLine($"{name}: {password}"); // ← here
  }
}
