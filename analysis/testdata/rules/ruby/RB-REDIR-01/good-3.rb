class ItemsController < ApplicationController
  def show
    target = params[:next].to_s
    target = root_path unless target.match?(%r{\A/[^/\\]})
    redirect_to target
  end
end
