using System.Formats.Tar;

namespace Shop;

public class Orders
{
  public void Unpack(Stream upload, string folder)
  {
    using var reader = new TarReader(upload);
    while (reader.GetNextEntry() is { } entry)
    {
      using var target = File.Create(Path.Join(folder, entry.Name)); // ← here
      entry.DataStream?.CopyTo(target);
    }
  }
}
