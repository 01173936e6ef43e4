namespace Shop;

public class Orders
{
  public void SignIn(string name, string password)
  {
    logger.LogInformation("Sign-in of {Name}", name);
  }
}
