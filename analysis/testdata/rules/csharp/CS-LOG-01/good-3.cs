namespace Shop;

public class Orders
{
  public void Connect(Settings settings)
  {
    _logger.LogDebug("The API key is set: {IsSet}", settings.ApiKey != null);
  }
}
