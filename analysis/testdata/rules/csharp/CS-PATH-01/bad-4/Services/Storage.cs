namespace Shop.Services;

public class Storage
{
  private const string Root = "/data";

  public byte[] Read(string name) => File.ReadAllBytes(Path.Join(Root, name)); // ← here
}
