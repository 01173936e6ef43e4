namespace Shop;

public class Orders
{
  public void Connect(Settings settings)
  {
    _logger.LogDebug("key " + settings.ApiKey); // ← here
  }
}
