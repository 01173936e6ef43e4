module ItemsHelper
  def badge(count)
    raw("<i>#{count.to_i}</i>")
  end
end
