class PagesController < ApplicationController
  PAGES = %w[about terms].freeze

  def show
    return head(:not_found) unless PAGES.include?(params[:page])

    render file: "pages/#{params[:page]}"
  end
end
